import type { NotificationStats } from '@dutchbook/contract/sending-status.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../calls/loaded.tsx';
import styles from './notification-stats.module.css';
import { NOT_SENT } from './notification-values.tsx';
import { notificationStatsQuery, useProbablyHasChannel } from './sending-status.ts';

const UNKNOWN = '–';

type Card = {
  title: string;
  /** What it counts, where its name alone does not say. */
  note?: string;
  figure: (stats: NotificationStats) => string;
};

const FAILED: Card = {
  title: 'Failed',
  note: 'tried and not delivered',
  figure: (stats) => formatCount(stats.failed_count),
};

const CARDS: readonly Card[] = [
  { title: 'Total', figure: (stats) => formatCount(stats.total_notifications) },
  { title: 'Last 24 Hours', figure: (stats) => formatCount(stats.recent_notifications) },
  { title: 'Pending', note: 'wait to be sent', figure: (stats) => formatCount(stats.pending_count) },
  { title: 'Sent', figure: (stats) => formatCount(stats.sent_count) },
  FAILED,
  { title: 'Success Rate', figure: ({ success_rate: rate }) => (rate === null ? UNKNOWN : formatPercent(rate)) },
  { title: 'Avg. Attempts', figure: ({ avg_attempts: average }) => average?.toFixed(2) ?? UNKNOWN },
];

/** Without a channel nothing waits to be sent, and nothing is. */
const CARDS_WITHOUT_CHANNEL: typeof CARDS = [
  ...CARDS.slice(0, 2),
  { title: NOT_SENT, note: 'no channel was set up', figure: (stats) => formatCount(stats.pending_count) },
  FAILED,
];

/** How many notifications there are, what of them comes first, and how sending them goes. */
export function NotificationStatsCards() {
  const read = useQuery(notificationStatsQuery);
  const { data, error } = read;
  const cards = useProbablyHasChannel() ? CARDS : CARDS_WITHOUT_CHANNEL;
  const attention = data?.attention_count;
  return (
    <>
      <LoadError of={read} text="Error loading notification statistics" />
      {(data !== undefined || error === null) && (
        <section aria-label="Notification statistics" aria-busy={data === undefined}>
          <dl className={styles.cards} data-few={cards === CARDS_WITHOUT_CHANNEL || undefined}>
            <div>
              <dt>
                To Look At
                <span className={styles.note}>does not come right by itself</span>
              </dt>
              <dd>
                {attention === undefined ? (
                  <Skeleton width={48} height={22} />
                ) : (
                  <Link className="figure" to="/notifications" search={{ subject: 'attention' }}>
                    {formatCount(attention)}
                    <span className="visually-hidden"> to look at: show them</span>
                  </Link>
                )}
              </dd>
            </div>
            {cards.map(({ title, note, figure }) => (
              <div key={title} data-alarming={title === 'Failed' && data !== undefined && data.failed_count > 0}>
                <dt>
                  {title}
                  {note !== undefined && <span className={styles.note}>{note}</span>}
                </dt>
                <dd>{data === undefined ? <Skeleton width={48} height={22} /> : figure(data)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}
