import type { ReactNode } from 'react';
import styles from './signed.module.css';

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
