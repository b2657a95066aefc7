import type { ReactNode } from 'react';
import styles from './entry-note.module.css';

/** What has to be known beside a form, or in its place. */
export function EntryNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
