import type { LeftOutMarketReply } from '@dutchbook/contract/markets.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import styles from './market-group.module.css';

type LeftOutMarketsProps = { markets: { data: readonly LeftOutMarketReply[]; count: number } };

/** Markets that have the words as well and cannot be picked, each with the reason. */
export function LeftOutMarkets({ markets: { data, count } }: LeftOutMarketsProps) {
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <h3 id="left-out-markets">Cannot be traded here</h3>
      </div>
      <ul aria-labelledby="left-out-markets">
        {data.map(({ id, question, event, reason }) => (
          <li key={id} className={styles.market} aria-disabled>
            <div>
              <p>{question || id}</p>
              <p className={styles.reason}>
                {event && `${event.title}: `}
                {reason}
              </p>
            </div>
            <StatusBadge tone="inactive">Left out</StatusBadge>
          </li>
        ))}
        {count > data.length && <li className={styles.market}>and {count - data.length} more</li>}
      </ul>
    </div>
  );
}
