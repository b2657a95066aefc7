import type { Instant } from '@dutchbook/units/instant.ts';
import type { ReactNode } from 'react';
import { LocalTime } from './local-time.tsx';
import styles from './outdated.module.css';

/** A figure that is not of now: grey, without colour or arrow. `at` says when it was, unless a figure beside it does. */
export function Outdated({ at, children }: { at?: Instant; children: ReactNode }) {
  return (
    <span className={styles.outdated} data-outdated>
      {children}
      {at !== undefined && (
        <span className={styles.asOf}>
          as of <LocalTime at={at} to="clock" />
        </span>
      )}
    </span>
  );
}
