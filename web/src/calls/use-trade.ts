import { useState } from 'react';
import { toastProblem } from '../ui/toasts.tsx';
import { ApiError, HeldHere } from './api-error.ts';
import { idempotentRequests, isRefusal, randomKey } from './idempotent-requests.ts';
import { useSingleMutation } from './single-mutation.ts';
import { toastFailure } from './toast-failure.tsx';

type Trade<Reply, Input> = {
  send: (input: Input, idempotencyKey: string) => Promise<Reply>;
  onSuccess?: (reply: Reply, input: Input) => unknown;
  /** What the toasts say: that it worked, that it was refused, and that the outcome is unknown because the answer was lost. */
  success?: string;
  failure: string;
  unknown: string;
};

/** While an answer is lost: what is asked now is the `same` request, which is not carried out twice, or an `other` one. */
export type LostAnswer = 'same' | 'other';

/**
 * A mutation that trades. A double click sends it once, and pressed again after its answer was lost it is the same request
 * to the server.
 */
export function useTrade<Reply, Input = void>({ send, onSuccess, success, failure, unknown }: Trade<Reply, Input>) {
  const [{ ask, open }] = useState(() => idempotentRequests(randomKey));
  const [lost, setLost] = useState<readonly string[]>([]);
  const { start, isPending } = useSingleMutation<Reply, Input>({
    mutationFn: (input) => ask(requestOf(input), (key) => send(input, key)),
    onSuccess: (reply, input) => {
      setLost(open());
      return onSuccess?.(reply, input);
    },
    onError: (problem) => {
      setLost(open());
      if (isRefusal(problem) || problem instanceof HeldHere) toastFailure(problem, { what: failure });
      // Something was answered, only not whether it was done.
      else if (problem instanceof ApiError) toastFailure(problem, { what: failure, why: unknown });
      else toastProblem(unknown);
    },
    meta: { ...(success === undefined ? {} : { success }), quiet: true },
  });
  /** `undefined` while no answer is lost; `input` is `undefined` while there is nothing to send. */
  const lostAnswerOf = (input: Input | undefined): LostAnswer | undefined => {
    if (lost.length === 0) return undefined;
    return input !== undefined && lost.includes(requestOf(input)) ? 'same' : 'other';
  };
  return { start, isPending, lostAnswerOf };
}

function requestOf(input: unknown): string {
  return JSON.stringify(input ?? null);
}
