import { useDeferredValue } from 'react';

/**
 * An answer of the server, `undefined` until the page may draw it for the first time in slices, between which it answers.
 * By itself an answer is drawn at a stretch, with all that waits for it. Later answers are handed on as they come.
 */
export function useInSlices<Answer>(answer: Answer | undefined): Answer | undefined {
  const mayDraw = useDeferredValue(answer !== undefined);
  return mayDraw ? answer : undefined;
}
