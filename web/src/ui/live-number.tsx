import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './live-number.module.css';

const TINT_MS = 360;

type Move = 'up' | 'down' | undefined;

type LiveNumberProps = {
  value: number | null;
  /** On which side of the number the arrow stands: before it where numbers align to the right. */
  arrow?: 'before' | 'after' | 'none' | undefined;
  /** The way in which it moves when it is good for the one who trades: down where it is a cost or a loss. */
  good?: 'up' | 'down';
  children: ReactNode;
};

/** A number that moves: tinted briefly when it changes, with an arrow for the direction of its last move. */
export function LiveNumber({ value, arrow = 'before', good = 'up', children }: LiveNumberProps) {
  const [shown, setShown] = useState(value);
  const [move, setMove] = useState<Move>();
  const cell = useRef<HTMLSpanElement>(null);
  if (value !== shown) {
    setShown(value);
    setMove(moveBetween(shown, value));
  }
  useEffect(() => {
    if (move !== undefined && shown !== null) tint(cell.current, move === good);
  }, [move, shown, good]);
  return (
    <span ref={cell} className={styles.number} data-arrow={arrow}>
      {arrow !== 'none' && (
        <span className={styles.arrow} data-move={move} data-good={move === good} aria-hidden="true">
          {move === 'up' ? '↑' : move === 'down' ? '↓' : ''}
        </span>
      )}
      {children}
    </span>
  );
}

function moveBetween(from: number | null, to: number | null): Move {
  if (from === null || to === null || from === to) return undefined;
  return to > from ? 'up' : 'down';
}

function tint(element: HTMLElement | null, isGood: boolean): void {
  if (element === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const backgroundColor = isGood ? 'var(--tint-gain)' : 'var(--tint-loss)';
  element.animate([{ backgroundColor }, { backgroundColor: 'transparent' }], { duration: TINT_MS, easing: 'steps(3)' });
}
