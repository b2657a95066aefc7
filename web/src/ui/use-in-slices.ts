import { type ReactNode, startTransition, useDeferredValue, useEffect, useRef, useState } from 'react';

/**
 * An answer of the server, `undefined` until the page may draw it for the first time in slices, between which it answers.
 * By itself an answer is drawn at a stretch, with all that waits for it. Later answers are handed on as they come.
 */
export function useInSlices<Answer>(answer: Answer | undefined): Answer | undefined {
  const mayDraw = useDeferredValue(answer !== undefined);
  return mayDraw ? answer : undefined;
}

type LaterProps = { isDue?: boolean; children: ReactNode };

/** Draws its children after everything around it, so that the page is painted first; at once where `isDue`. */
export function Later({ isDue = false, children }: LaterProps) {
  const [isDrawn, setDrawn] = useState(isDue);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  return isDrawn && children;
}

/** Does the work once the browser has painted what the present event has changed; at once in a hidden tab, which paints nothing. */
export function afterPaint(work: () => void): void {
  if (document.visibilityState === 'hidden') work();
  else requestAnimationFrame(() => setTimeout(work));
}

/**
 * Puts off what an event causes until what the event itself changed is painted, as the mark on what was pressed. `work` is the one of
 * the last render by then; it is left out where the component is gone.
 */
export function useAfterPaint<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef<typeof work>(undefined);
  useEffect(() => {
    latest.current = work;
    return () => {
      latest.current = undefined;
    };
  }, [work]);
  return (...args) => afterPaint(() => latest.current?.(...args));
}
