import { VENUE_MODES } from '@dutchbook/contract/status.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { useLink } from '../../live/live.ts';
import { Signed } from '../../ui/signed.tsx';
import { useProbablyHasChannel } from '../notifications/sending-status.ts';
import { daysAgo } from '../report/days/days-ago.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { feedState, useSystemStatus } from '../status/system-status.ts';
import styles from './overview.module.css';
import { useOverview } from './use-overview.ts';

/** What an operator wants to know first, each figure with the way to what is behind it */
export function Overview() {
  const read = useOverview();
  const { data } = read;
  return (
    <>
      <LoadError of={read} text="Error loading the overview" inline />
      <div className={styles.cards}>
        <OpportunityCards active={data?.active_opportunities} triggered={data?.triggered_opportunities} />
        <FigureCard
          title="Running batches"
          figure={written(data?.running_batches)}
          detail="being bought, sold or retried now"
        >
          <Link to="/batches" search={{ isActive: true }}>
            Show running batches
          </Link>
        </FigureCard>
        <FigureCard
          title="Unhedged exposure"
          figure={data && formatUsd(data.unhedged_usd)}
          detail={data && exposureWords(data.unhedged_batches)}
          tone={data !== undefined && data.unhedged_batches > 0 ? 'warning' : undefined}
        >
          <Link to="/batches" search={{ unhedged: true }}>
            Show unhedged batches
          </Link>
        </FigureCard>
        <FigureCard
          title="Realised today (UTC)"
          figure={data && <Signed value={data.realised_today_usd}>{formatUsd(data.realised_today_usd)}</Signed>}
          detail={data && `became cash; ${counted(data.batches_today, 'batch', 'batches')} ended`}
        >
          <Link to="/report" search={{ since: daysAgo(0) }}>
            Show the report of today
          </Link>
        </FigureCard>
        {data?.practice && (
          <FigureCard
            title="Practice"
            figure={formatUsd(data.practice.cash_usd)}
            detail={`left to simulated orders, which hold ${formatUsd(data.practice.open_exposure_usd)} in shares`}
          >
            <Link to="/batches">Show batches</Link>
          </FigureCard>
        )}
        <FigureCard
          title="Open exposure"
          figure={data && formatUsd(data.open_exposure_usd)}
          detail="in shares held and in open orders"
        >
          <Link to="/orders" search={{ side: 'buy' }}>
            Show orders that buy
          </Link>
        </FigureCard>
        <FailedNotificationsCard failed={data?.failed_notifications} />
        <VenueCard />
      </div>
    </>
  );
}

type OpportunityCardsProps = { active: number | undefined; triggered: number | undefined };

function OpportunityCards({ active, triggered }: OpportunityCardsProps) {
  return (
    <>
      <FigureCard title="Triggered opportunities" figure={written(triggered)} detail="pay enough now">
        <Link to="/arbitrage" search={{ triggered: true }}>
          Show triggered opportunities
        </Link>
      </FigureCard>
      <FigureCard title="Active opportunities" figure={written(active)} detail="are watched">
        <Link to="/arbitrage" search={{ active: true }}>
          Show active opportunities
        </Link>
      </FigureCard>
    </>
  );
}

function FailedNotificationsCard({ failed }: { failed: number | undefined }) {
  const hasChannel = useProbablyHasChannel();
  const whole = hasChannel ? 'all that were sent arrived' : 'none is sent: no channel is set up';
  return (
    <FigureCard
      title="Failed notifications"
      figure={written(failed)}
      detail={failed === 0 ? whole : 'were tried and not delivered'}
      tone={failed !== undefined && failed > 0 ? 'error' : undefined}
    >
      <Link to="/notifications" search={{ status: 'failed' }}>
        Show failed notifications
      </Link>
    </FigureCard>
  );
}

/** Where orders go, whether they go, and how fresh the prices are that decide it. */
function VenueCard() {
  const status = useSystemStatus();
  const feed = feedState(useLink(), status);
  const unknownOrders = status?.unknown_orders ?? 0;
  return (
    <FigureCard
      title="Venue and feed"
      figure={status && feed.text}
      detail={
        status && (
          <>
            {VENUE_MODES[status.venue].label}. {feed.explanation} {armedSentence(status)}
            {unknownOrders > 0 && ` ${counted(unknownOrders, 'order is', 'orders are')} unknown.`}
          </>
        )
      }
      tone={feed.tone === 'error' || feed.tone === 'warning' ? feed.tone : undefined}
    >
      <Link to="/arbitrage">Show prices</Link>
    </FigureCard>
  );
}

function exposureWords(batches: number): string {
  return batches === 0 ? 'every set is whole' : `lost at worst by ${counted(batches, 'batch', 'batches')}`;
}

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

const written = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));

type FigureCardProps = {
  title: string;
  /** `undefined` while it loads. */
  figure: ReactNode | undefined;
  detail: ReactNode;
  tone?: 'warning' | 'error' | undefined;
  /** Links that lead to what the figure is about. */
  children: ReactNode;
};

/** One figure of the dashboard, with the links that lead to what it is about. */
function FigureCard({ title, figure, detail, tone, children }: FigureCardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId} data-tone={tone}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <p className={styles.figure}>{figure ?? <Skeleton width={72} height={30} component="span" display="block" />}</p>
      <p className={styles.detail}>{detail}</p>
      <div className={styles.links}>{children}</div>
    </section>
  );
}
