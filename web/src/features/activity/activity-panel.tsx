import type { Activity } from '@dutchbook/contract/status.ts';
import { Skeleton } from '@mantine/core';
import { Panel } from '../../ui/panel.tsx';
import styles from './activity.module.css';
import { ActivityEntry } from './activity-entry.tsx';
import { useActivity } from './activity-query.ts';
import { folded } from './fold.ts';

const NOTHING = 'Nothing yet: what is found, bought and paid appears here as it happens.';

/** What the desk has done last, as it happens. */
export function ActivityPanel() {
  const activity = useActivity();
  return (
    <Panel title="Activity" fills>
      <div className={styles.strip}>
        {activity === undefined ? <Skeleton height="100%" /> : <ActivityList of={activity} />}
      </div>
    </Panel>
  );
}

export function ActivityList({ of: activity }: { of: readonly Activity[] }) {
  if (activity.length === 0) return <p className="muted">{NOTHING}</p>;
  return (
    <ol className={styles.list} aria-label="Latest activity">
      {folded(activity).map(({ times, ...each }) => (
        <li key={each.id}>
          <ActivityEntry of={each} times={times} />
        </li>
      ))}
    </ol>
  );
}
