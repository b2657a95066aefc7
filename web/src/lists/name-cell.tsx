import type { ReactNode } from 'react';
import styles from './name-cell.module.css';

type NameCellProps = {
  about: string;
  /** What leads to it, and shows what it is about. */
  link: ReactNode;
  /** What is bought of it, and what else there is to say. */
  children?: ReactNode;
  /** What would be cut off beneath it, and has a line of its own. */
  last?: ReactNode;
};

/** What a thing is about on one line, and beneath it what is bought of it. */
export function NameCell({ about, link, children, last }: NameCellProps) {
  return (
    <span className={styles.cell}>
      <span className={styles.about} title={about}>
        {link}
      </span>
      <span className={styles.below}>{children}</span>
      {last !== undefined && <span className={styles.last}>{last}</span>}
    </span>
  );
}
