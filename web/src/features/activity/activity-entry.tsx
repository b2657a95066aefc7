import type { Activity, ActivityKind } from '@dutchbook/contract/status.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LocalTime } from '../../ui/local-time.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import styles from './activity.module.css';

const KINDS: Record<ActivityKind, { words: string; tone: Tone }> = {
  found: { words: 'Found', tone: 'inactive' },
  triggered: { words: 'Triggered', tone: 'pending' },
  refused: { words: 'Refused', tone: 'warning' },
  bought: { words: 'Bought', tone: 'pending' },
  filled: { words: 'Filled', tone: 'success' },
  cash: { words: 'Cash', tone: 'success' },
};

/** What was done, when, and the way to what it was done to. `children`: what is said beside it. */
export function ActivityEntry({ of, children }: { of: Activity; children?: ReactNode }) {
  const { words, tone } = KINDS[of.kind];
  return (
    <span className={styles.entry}>
      <LocalTime at={of.at} to="clock" />
      <StatusBadge tone={tone}>{words}</StatusBadge>
      <span className={styles.text} title={of.text}>
        <Subject of={of} />
        {children}
      </span>
    </span>
  );
}

function Subject({ of: { text, batch_id: batchId, opportunity_id: opportunityId } }: { of: Activity }) {
  if (batchId !== null)
    return (
      <Link to="/batches/$batchId" params={{ batchId }}>
        {text}
      </Link>
    );
  if (opportunityId !== null)
    return (
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId }}>
        {text}
      </Link>
    );
  return text;
}
