import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import styles from './live-number.module.css';

/** Two intervals of the live store: the tint of one change goes in the frame in which others come. */
const TINT_MS = 400;

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
  const { cell, tint } = useTint();
  if (value !== shown) {
    setShown(value);
    setMove(moveBetween(shown, value));
  }
  useEffect(() => {
    if (move === undefined || shown === null) return;
    return tint(move === good ? 'gain' : 'loss');
  }, [move, shown, good, tint]);
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

/**
 * Set and taken away once, where an animation would have the browser draw a frame 60 times a second as long as any number on the page moves.
 */
function useTint() {
  const cell = useRef<HTMLSpanElement>(null);
  const tint = useCallback((by: 'gain' | 'loss') => {
    const { current } = cell;
    current?.setAttribute('data-tint', by);
    const timer = setTimeout(() => current?.removeAttribute('data-tint'), TINT_MS);
    return () => clearTimeout(timer);
  }, []);
  return { cell, tint };
}
