import { SIZE_BOUND_WORDS, sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { listChosenSizes } from '@dutchbook/contract/placing.ts';
import type { PolicySize } from '@dutchbook/contract/valuation.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react';
import type * as z from 'zod/mini';
import { pageQuery } from '../../calls/call-query.ts';

const READ_AGAIN_MS = 30_000;

type Chosen = z.output<typeof listChosenSizes.reply>['data'][number]['chosen_size'];

const ChosenContext = createContext<ReadonlyMap<string, Chosen>>(new Map());

/** What the size policy chooses for each row below it, read together. */
export function ChosenSizes({ ids, children }: { ids: string[]; children: ReactNode }) {
  const { data } = useQuery(
    pageQuery(
      ['chosen-sizes', ids],
      listChosenSizes,
      { query: { ids } },
      { enabled: ids.length > 0, refetchInterval: READ_AGAIN_MS },
    ),
  );
  const chosen = useMemo(
    () => new Map(data?.data.map(({ opportunity_id: id, chosen_size: size }) => [id, size])),
    [data],
  );
  // The rows are on screen already: they take it up in slices.
  const late = useDeferredValue(chosen);
  return <ChosenContext value={late}>{children}</ChosenContext>;
}

/** Lists do not say what it was chosen from. */
type ChosenSize = Omit<PolicySize, 'paying_size'> & Partial<Pick<PolicySize, 'paying_size'>>;

/** Why the size policy chooses nothing; null where it chooses a size. `payingSize`: the most shares that pay, null where that is not known. */
export function nothingChosenWords(
  { order_size: size, bounded_by: bound, allowed, paying_size: paying }: ChosenSize,
  payingSize: Shares | null,
): string | null {
  if (paying === 0 || payingSize === 0) return 'no set makes what the trigger asks for';
  if (allowed) return null;
  return `even the smallest size, ${formatShares(size)} sh, is more than ${SIZE_BOUND_WORDS[bound]} allows`;
}

/** What the size policy chooses, as a phrase of its own: as short as a row has room for, and whole. */
function chosenWords(chosen: NonNullable<Chosen>, payingSize: Shares | null): { short: string; whole: string } {
  const nothing = nothingChosenWords(chosen, payingSize);
  if (nothing === null) {
    const words = `Policy: ${sizeWords(chosen.order_size, chosen.bounded_by)}`;
    return { short: words, whole: words };
  }
  const why = chosen.allowed || payingSize === 0 ? 'no set pays enough' : `over ${SIZE_BOUND_WORDS[chosen.bounded_by]}`;
  return { short: `Policy: nothing, ${why}`, whole: `Policy: nothing, ${nothing}` };
}

/** The chosen size in a few words; nothing while its books are unknown. */
export function ChosenSizeOf({ id, payingSize }: { id: string; payingSize: Shares | null }) {
  const chosen = use(ChosenContext).get(id);
  if (chosen == null) return null;
  const { short, whole } = chosenWords(chosen, payingSize);
  return <span title={whole}>{short}</span>;
}
