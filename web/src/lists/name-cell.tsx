import type { ReactNode } from 'react';
import styles from './name-cell.module.css';
import { nameParts } from './name-parts.ts';

type NameCellProps = { name: string; link: (about: string) => ReactNode; children?: ReactNode };

/** What a thing is about on one line, which leads to it, and beneath it what is bought of it and `children`. */
export function NameCell({ name, link, children }: NameCellProps) {
  const { about, kind } = nameParts(name);
  return (
    <span className={styles.cell}>
      <span className={styles.about} title={name}>
        {link(about)}
      </span>
      <span className={styles.below}>
        {kind !== null && <span className={styles.kind}>{kind}</span>}
        {children}
      </span>
    </span>
  );
}
