import { SIZE_BOUND_WORDS, sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { listChosenSizes } from '@dutchbook/contract/placing.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
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
  return <ChosenContext value={chosen}>{children}</ChosenContext>;
}

/** What the size policy chooses, as a phrase of its own. */
function chosenWords({ order_size: size, bounded_by: bound, allowed }: NonNullable<Chosen>): string {
  if (allowed) return `Policy: ${sizeWords(size, bound)}`;
  return `Policy: nothing, ${formatShares(size)} sh are more than ${SIZE_BOUND_WORDS[bound]} allows`;
}

/** Of one of them, in a few words; nothing while its books are not known. */
export function ChosenSizeOf({ id }: { id: string }) {
  const chosen = use(ChosenContext).get(id);
  if (chosen == null) return null;
  const words = chosenWords(chosen);
  return <span title={words}>{words}</span>;
}
