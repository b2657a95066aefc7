import type { MarketRulesReply } from '@dutchbook/contract/markets.ts';
import type { Position } from '@dutchbook/contract/opportunities.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { useLink } from '../../live/live.ts';
import { CopiedId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Outdated } from '../../ui/signed.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useNowMs } from '../../ui/use-now.ts';
import { useMarketRules } from '../markets/market-queries.ts';
import { MarketRules } from '../markets/market-rules.tsx';
import { bookAge } from './book-age.ts';
import { FEED_MEANING, FeedBadge } from './feed-badge.tsx';
import { formatPerShare } from './per-share.ts';
import styles from './position-table.module.css';

type Row = Position & {
  id: string;
  receivedAtMs: number;
  rules: MarketRulesReply | undefined;
  isReadingRules: boolean;
};

/** The positions of a set: bought in equal numbers, each from its own order book. */
export function PositionTable({ positions, receivedAtMs }: { positions: readonly Position[]; receivedAtMs: number }) {
  const { byMarket, isPending } = useMarketRules(positions.map(({ market_id }) => market_id));
  const rows = positions.map((position) => ({
    ...position,
    rules: byMarket.get(position.market_id),
    isReadingRules: isPending,
    id: `${position.leg} ${position.market_id} ${position.outcome}`,
    receivedAtMs,
  }));
  return (
    <>
      <DataTable label="Market Combinations" columns={COLUMNS} rows={rows} />
      <FeedNotes positions={positions} />
    </>
  );
}

/** What to think of the feeds. A line always stands there, so that nothing moves when a book is verified. */
function FeedNotes({ positions }: { positions: readonly Position[] }) {
  const feeds = new Set(positions.map(({ feed }) => feed));
  return [...feeds].map((feed) => (
    <p key={feed} className={styles.feed}>
      {FEED_MEANING[feed]}
    </p>
  ));
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'leg', header: 'Leg', folds: true, cell: ({ leg }) => leg },
  { key: 'market', header: 'Market', wide: true, cell: (row) => <Market of={row} /> },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    cell: ({ price, feed }) => <LivePrice price={price} feed={feed} good="down" />,
  },
  {
    key: 'bid',
    header: 'Best Bid',
    align: 'end',
    folds: true,
    cell: ({ best_bid, feed }) => <LivePrice price={best_bid} feed={feed} arrow="none" />,
  },
  {
    key: 'ask',
    header: 'Best Ask',
    align: 'end',
    folds: true,
    cell: ({ best_ask, feed }) => <LivePrice price={best_ask} feed={feed} arrow="none" good="down" />,
  },
  { key: 'depth', header: 'Depth', align: 'end', folds: true, cell: ({ depth_usd }) => money(depth_usd) },
  {
    key: 'fee',
    header: 'Fee',
    align: 'end',
    folds: true,
    cell: ({ fee }) => (fee === null ? '–' : formatPerShare(fee)),
  },
  { key: 'book', header: 'Book', cell: (row) => <Book of={row} /> },
];

function Market({ of }: { of: Row }) {
  const { question, market_id, resolved_value } = of;
  return (
    <div className={styles.market}>
      <span>{question ?? 'Unknown market'}</span>
      <AtTheVenue of={of} />
      {resolved_value !== null && <StatusBadge tone="inactive">Resolved at {formatPrice(resolved_value)}</StatusBadge>}
      <CopiedId id={market_id} what="Market ID" />
    </div>
  );
}

/** Where the market stands at the venue, and its rules; a line is kept for them while they are read. */
function AtTheVenue({ of: { question, rules, isReadingRules } }: { of: Row }) {
  const name = question ?? 'this market';
  return (
    <div className={styles.venue}>
      {rules !== undefined && rules.page !== null && (
        <a href={rules.page} target="_blank" rel="noreferrer" aria-label={`Page of ${name} at the venue`}>
          Page at the venue
        </a>
      )}
      {rules === undefined ? (
        <span className="aside">{isReadingRules ? '' : 'Rules not known'}</span>
      ) : (
        <MarketRules of={name} text={rules.rules} />
      )}
    </div>
  );
}

type LivePriceProps = Pick<Position, 'feed'> & { price: Price | null; arrow?: 'before' | 'none'; good?: 'up' | 'down' };

/** The age of a stale book stands in the row. */
function LivePrice({ price, feed, arrow = 'before', good = 'up' }: LivePriceProps) {
  const link = useLink();
  if (price !== null && (feed === 'stale' || link === 'stale' || link === 'offline'))
    return <Outdated>{formatPrice(price)}</Outdated>;
  return (
    <LiveNumber value={price} arrow={arrow} good={good}>
      {price === null ? '–' : formatPrice(price)}
    </LiveNumber>
  );
}

function Book({ of: { feed, book_age_ms, receivedAtMs } }: { of: Row }) {
  const nowMs = useNowMs();
  return (
    <span className={styles.book}>
      <FeedBadge feed={feed} />
      {book_age_ms !== null && <span>{bookAge(book_age_ms + Math.max(0, nowMs - receivedAtMs))}</span>}
    </span>
  );
}

function money(usd: Usd | null): string {
  return usd === null ? '–' : formatUsd(usd);
}
