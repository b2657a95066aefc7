import type { Batch } from '@dutchbook/contract/batches.ts';
import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import { useQuery } from '@tanstack/react-query';
import { batchOrdersQuery } from '../../batches/batch-queries.ts';
import { figuresOf } from '../sale-figures.ts';
import { outcomeOf } from '../sale-loss.ts';
import type { ShownSale } from '../sell-all-readiness.ts';
import { bestWay, choiceOf } from './best-way.ts';
import type { Choices } from './exit-choices.ts';

type Ways = { isAnswered: boolean; whole: CashNowSimulation | undefined; converts: boolean };

/**
 * The best way out of now. The first comparison sets the choice, if nothing was chosen before; a later one does not change it while
 * a person looks at it.
 */
export function useBestWay(
  { batch, shown, isAnswered, whole, converts }: Ways & { batch: Batch; shown: ShownSale },
  chosen: Choices | undefined,
  choose: (choices: Choices) => void,
) {
  const { data: orders, isPending } = useQuery(batchOrdersQuery(batch.id));
  const saleBrings = shown !== undefined && 'simulation' in shown ? outcomeOf(shown.simulation).brings : undefined;
  const best = bestWay({ whole, converts, saleBrings, batch, orders: orders?.data ?? NONE });
  const isSettled = shown !== undefined && figuresOf(shown).settling.length === 0;
  if (chosen === undefined && isAnswered && isSettled && !isPending) choose(choiceOf(best, whole?.orders ?? NONE));
  return best;
}

const NONE: readonly never[] = [];
