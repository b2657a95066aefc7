import { UnstyledButton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import styles from './activity.module.css';
import { ActivityEntry } from './activity-entry.tsx';
import { ActivityList } from './activity-panel.tsx';
import { useActivity, useActivityRefresh } from './activity-query.ts';

/** What the desk did last, on every page in a line that opens; the dashboard has all of it. */
export function ActivityLine() {
  useActivityRefresh();
  const isDashboard = useLocation({ select: ({ pathname }) => pathname === '/' });
  return isDashboard ? null : <Line />;
}

function Line() {
  const activity = useActivity();
  const [opened, setOpened] = useState(false);
  const [latest] = activity ?? [];
  return (
    <section className={styles.line} aria-label="Activity">
      <div className={styles.latest}>
        <UnstyledButton
          className={styles.opener}
          aria-expanded={opened}
          aria-label={opened ? 'Hide activity' : 'Show activity'}
          onClick={() => setOpened(!opened)}
        >
          <Icon name="next" size={16} />
        </UnstyledButton>
        {latest !== undefined && <ActivityEntry of={latest} />}
        {latest === undefined && activity !== undefined && <span className="muted">Nothing has happened yet</span>}
      </div>
      {opened && activity !== undefined && <ActivityList of={activity} />}
    </section>
  );
}
