import type { Instant } from '@dutchbook/units/instant.ts';
import type { ReactNode } from 'react';
import { LocalTime } from './local-time.tsx';
import styles from './signed.module.css';
import { useByNow } from './use-now.ts';

/** A gain or a loss: its sign, its colour and an arrow say the same. */
export function Signed({ value, children }: { value: number; children: ReactNode }) {
  const sign = value > 0 ? 'gain' : value < 0 ? 'loss' : 'even';
  return (
    <span className={styles.signed} data-sign={sign}>
      <span aria-hidden="true" className={styles.arrow}>
        {sign === 'gain' ? '↑' : sign === 'loss' ? '↓' : ''}
      </span>
      {sign === 'gain' ? '+' : ''}
      {children}
    </span>
  );
}

/** An outdated figure: grey, without colour or arrow. `at` is its time, unless a figure beside it shows it. */
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

/** What is read again every few seconds and is older than this has not been followed by a newer answer. */
const FRESH_MS = 20_000;

/** A figure of `at` that is grey once it is too old. `dated`: it says then when it was. */
export function Aged({ at, dated = false, children }: { at: Instant | null; dated?: boolean; children: ReactNode }) {
  const isAged = useByNow((nowMs) => (at !== null && nowMs - at > FRESH_MS ? 1 : 0)) === 1;
  if (at === null || !isAged) return children;
  return <Outdated {...(dated && { at })}>{children}</Outdated>;
}
