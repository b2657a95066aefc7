import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

/** How a state is shown: by colour and by words, never by colour alone. */
export type Tone = 'success' | 'warning' | 'error' | 'inactive' | 'active' | 'pending';

export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

/** A status of the wire as people read it: `partial_completed` is "Partial completed". */
export function statusWords(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
