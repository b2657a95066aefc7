import type { Feed } from '@dutchbook/contract/opportunities.ts';
import type { PositionDepth } from '@dutchbook/contract/valuation.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { memo } from 'react';
import { FeedBadge } from './feed-badge.tsx';
import { type LadderRow, ladderRows } from './ladder-rows.ts';
import styles from './order-book.module.css';

/** As the style sheet says it. */
const LEVEL_HEIGHT_PX = 24;

type DepthLadderProps = {
  depth: PositionDepth;
  question: string | null;
  feed: Feed | undefined;
  /** How many levels of each side are shown. */
  levels: number;
  /** Room is kept for this many, so that a book that thins out moves nothing. */
  roomFor: number;
  /** The largest profitable size: the asks it would buy of are marked. */
  buying: Shares | null;
};

/** One order book: asks above bids, each level with the dollars of it and all better ones. */
function PlainDepthLadder({ depth, question, feed, levels, roomFor, buying }: DepthLadderProps) {
  const { leg, outcome } = depth;
  const { asks, bids } = ladderRows(depth, levels, buying);
  return (
    <article className={styles.book} aria-label={`Leg ${leg}, ${outcome}`}>
      <header className={styles.head}>
        <h3>
          Leg {leg} · {outcome}
        </h3>
        {feed !== undefined && <FeedBadge feed={feed} />}
        <p title={question ?? undefined}>{question ?? 'Unknown market'}</p>
      </header>
      <table className={styles.levels} aria-label={`Order book of leg ${leg}, ${outcome}`}>
        <thead>
          <tr>
            <th scope="col">Price</th>
            <th scope="col">Shares</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <Room rows={roomFor - asks.length} />
        <tbody data-side="Ask">
          {asks.map((row) => (
            <Level key={row.price} row={row} side="Ask" />
          ))}
        </tbody>
        <tbody>
          <tr className={styles.spread}>
            <th colSpan={3} scope="rowgroup">
              {spreadWords(depth.asks[0]?.price, depth.bids[0]?.price)}
            </th>
          </tr>
        </tbody>
        <tbody data-side="Bid">
          {bids.map((row) => (
            <Level key={row.price} row={row} side="Bid" />
          ))}
        </tbody>
        <Room rows={roomFor - bids.length} />
      </table>
    </article>
  );
}

export const DepthLadder = memo(PlainDepthLadder);

function Level({ row: { price, size, total, reach, bought }, side }: { row: LadderRow; side: 'Ask' | 'Bid' }) {
  return (
    <tr className={styles.level} data-bought={bought} style={{ backgroundSize: `${(reach * 100).toFixed(1)}% 100%` }}>
      <td>
        <span className="visually-hidden">{side} </span>
        {formatPrice(price)}
        {bought && <span className="visually-hidden"> within the largest profitable size</span>}
      </td>
      <td>{formatShares(size)}</td>
      <td>{formatUsd(total)}</td>
    </tr>
  );
}

function Room({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr className={styles.room}>
        <td colSpan={3} style={{ height: rows * LEVEL_HEIGHT_PX }} />
      </tr>
    </tbody>
  );
}

function spreadWords(ask: Price | undefined, bid: Price | undefined): string {
  if (ask === undefined && bid === undefined) return 'The book is empty';
  if (ask === undefined) return 'No asks';
  if (bid === undefined) return 'No bids';
  return `Spread ${formatPrice((ask - bid) as Price)}`;
}
