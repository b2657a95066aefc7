import { type ReactNode, startTransition, useDeferredValue, useEffect, useLayoutEffect, useState } from 'react';

/**
 * An answer of the server, `undefined` until the page may draw it for the first time in slices, between which it answers.
 * By itself an answer is drawn at a stretch, with all that waits for it. Later answers are handed on as they come.
 */
export function useInSlices<Answer>(answer: Answer | undefined): Answer | undefined {
  const mayDraw = useDeferredValue(answer !== undefined);
  useLayoutEffect(() => {
    if (mayDraw) layOut();
  }, [mayDraw]);
  return mayDraw ? answer : undefined;
}

/**
 * Lays out what has just been put into the page, in a task of its own: the frame that shows it, which would do so otherwise,
 * has only to paint it.
 */
function layOut(): void {
  setTimeout(() => void document.body.offsetHeight);
}

type LaterProps = { turns?: number; children: ReactNode };

/** What is drawn after all that stands around it, in `turns` tasks of their own: the page is painted and answers in between. */
export function Later({ turns = 1, children }: LaterProps) {
  const [left, setLeft] = useState(turns);
  useEffect(() => {
    if (left > 0) startTransition(() => setLeft(left - 1));
  }, [left]);
  useLayoutEffect(() => {
    if (left === 0) layOut();
  }, [left]);
  return left === 0 && children;
}
