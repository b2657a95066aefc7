import type { Blocker } from '@dutchbook/contract/opportunities.ts';
import { Note } from '../../ui/states.tsx';
import styles from './blocker-list.module.css';

/** Every gate that would refuse an order now, with the distance to passing it. */
export function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  if (blockers.length === 0)
    return <Note tone="success" title="Nothing stands in the way of an order of the smallest size." />;
  return (
    <ul className={styles.blockers}>
      {blockers.map((blocker) => (
        <li key={`${blocker.gate} ${blocker.message}`}>
          <p>{blocker.message}</p>
          <Distance of={blocker} />
        </li>
      ))}
    </ul>
  );
}

function Distance({ of: { actual, required } }: { of: Blocker }) {
  if (actual === null || required === null) return null;
  return (
    <p className={styles.distance}>
      now <span>{plain(actual)}</span>, {actual > required ? 'at most' : 'at least'} <span>{plain(required)}</span>
    </p>
  );
}

/** Gates count in different units, which their message names: the bare number, at most four decimals. */
function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
