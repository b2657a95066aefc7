import { type ReactNode, startTransition, useDeferredValue, useEffect, useState } from 'react';

/**
 * An answer of the server, `undefined` until the page may draw it for the first time in slices, between which it answers.
 * By itself an answer is drawn at a stretch, with all that waits for it. Later answers are handed on as they come.
 */
export function useInSlices<Answer>(answer: Answer | undefined): Answer | undefined {
  const mayDraw = useDeferredValue(answer !== undefined);
  return mayDraw ? answer : undefined;
}

type LaterProps = { turns?: number; children: ReactNode };

/** What is drawn after all that stands around it, in `turns` tasks of their own: the page is painted and answers in between. */
export function Later({ turns = 1, children }: LaterProps) {
  const [left, setLeft] = useState(turns);
  useEffect(() => {
    if (left > 0) startTransition(() => setLeft(left - 1));
  }, [left]);
  return left === 0 && children;
}
