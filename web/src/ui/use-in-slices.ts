import { type ReactNode, startTransition, useDeferredValue, useEffect, useState } from 'react';

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
