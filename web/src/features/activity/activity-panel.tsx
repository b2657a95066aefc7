import type { Activity } from '@dutchbook/contract/status.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import styles from './activity.module.css';
import { ActivityEntry } from './activity-entry.tsx';
import { useActivity } from './activity-query.ts';
import { type Folded, folded } from './fold.ts';

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
      {folded(activity).map((each) => (
        <li key={each.all.at(-1)?.id}>
          {each.all.length === 1 ? <ActivityEntry of={each.latest} /> : <Several of={each} />}
        </li>
      ))}
    </ol>
  );
}

/** The latest of what was done several times, with what it brought together; it opens to each of them. */
function Several({ of: { latest, all, usd } }: { of: Folded }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ActivityEntry of={latest}>
        <UnstyledButton className={styles.times} aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {formatCount(all.length)} times{usd !== null && `, ${formatUsd(usd)} together`}
        </UnstyledButton>
      </ActivityEntry>
      {opened && (
        <ol className={styles.each} aria-label="Each of them">
          {all.map((each) => (
            <li key={each.id}>
              <ActivityEntry of={each} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
