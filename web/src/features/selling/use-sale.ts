import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { toastProblem, toastSuccess } from '../../ui/toasts.tsx';
import { batchListKey } from '../batches/batch-queries.ts';
import { type ExitExecution, hasFailed } from './ways/exit-result.ts';

/** What was shown, and sold as it was shown. */
type Shown = { simulation: { orders: readonly PlannedSale[] } };

type Sale<Input> = {
  /** What is read again then, beside the list of batches. */
  reads: QueryKey;
  /** Whether the dialog is open: after it is closed a toast says what came of the sale. */
  watched: boolean;
  send: (input: Input, idempotencyKey: string) => Promise<ExitExecution>;
  failure: string;
};

/** Carries a sale out, once, and reads again what it changes. */
export function useSale<Input extends Shown>({ reads, watched, send, failure }: Sale<Input>) {
  const client = useQueryClient();
  const [result, setResult] = useState<{ execution: ExitExecution; sent: Input }>();
  const isWatched = useLatestWhileMounted(watched);
  const { start, isPending, lostAnswerOf } = useTrade<ExitExecution, Input>({
    send,
    onSuccess: (execution, sent) => {
      setResult({ execution, sent });
      void readAgain(client, reads);
      void readAgain(client, batchListKey);
      if (!isWatched()) toastResult(execution);
    },
    failure,
    unknown: 'The answer was lost, so it is not known what was sold.',
  });
  return { start, isPending, lostAnswerOf, result };
}

function toastResult(execution: ExitExecution): void {
  if (hasFailed(execution)) toastProblem(execution.summary);
  else toastSuccess(execution.summary);
}

function useLatestWhileMounted(watched: boolean): () => boolean {
  const latest = useRef(watched);
  useEffect(() => {
    latest.current = watched;
    return () => {
      latest.current = false;
    };
  }, [watched]);
  return () => latest.current;
}
