import { useState } from 'react';
import { toastProblem } from '../ui/toasts.tsx';
import { useSingleMutation } from './single-mutation.ts';
import { toastFailure } from './toast-failure.tsx';
import { isRefusal, randomKey, wishes } from './wish.ts';

type Trade<Reply, Input> = {
  send: (input: Input, idempotencyKey: string) => Promise<Reply>;
  onSuccess?: (reply: Reply, input: Input) => unknown;
  /** What the toasts say: that it worked, that it was refused, and that nobody knows because the answer was lost. */
  success?: string;
  failure: string;
  unknown: string;
};

/**
 * A mutation that trades. A double click sends it once, and pressed again after its answer was lost it is the same wish
 * to the server. `outcomeUnknown` until it is asked again.
 */
export function useTrade<Reply, Input = void>({ send, onSuccess, success, failure, unknown }: Trade<Reply, Input>) {
  const [ask] = useState(() => wishes(randomKey));
  const { start, isPending, error } = useSingleMutation<Reply, Input>({
    mutationFn: (input) => ask(JSON.stringify(input ?? null), (key) => send(input, key)),
    onSuccess: (reply, input) => onSuccess?.(reply, input),
    onError: (problem) => {
      if (isRefusal(problem)) toastFailure(problem, { what: failure });
      else toastProblem(unknown);
    },
    meta: { ...(success === undefined ? {} : { success }), quiet: true },
  });
  return { start, isPending, outcomeUnknown: error !== null && !isRefusal(error) };
}
