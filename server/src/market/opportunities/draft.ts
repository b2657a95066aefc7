/** An opportunity that a user adds, by the form or as a row of a file: one set of rules for both. */
import { type MarketCombinations, opportunityCreate } from '@dutchbook/contract/opportunities.ts';
import { whyNoId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type * as z from 'zod/mini';
import { contentHash, repeatsPosition, withoutBlanks } from './identity.ts';

export type Draft = {
  marketCombinations: MarketCombinations;
  targetPrice: Price;
  active: boolean;
  source: string | null;
  sourceDetails: string | null;
  contentHash: string;
};

/** `field` names the column or body field at fault, null when the whole is. */
export type DraftResult = { kind: 'draft'; draft: Draft } | { kind: 'refused'; field: string | null; reason: string };

/** Reads untyped input of the shape that the create call takes. */
export function readDraft(input: unknown): DraftResult {
  const parsed = opportunityCreate.safeParse(input);
  if (parsed.success) return draftOf(parsed.data);
  const [issue] = parsed.error.issues;
  return { kind: 'refused', field: fieldOf(issue?.path), reason: issue?.message ?? 'Invalid input' };
}

/** Completes input that has passed the contract; the database's own limits on text are checked here. */
export function draftOf(input: z.output<typeof opportunityCreate>): DraftResult {
  const legs = withoutBlanks(input.market_combinations);
  const refused = (field: string, reason: string): DraftResult => ({ kind: 'refused', field, reason });
  for (const { markets } of legs) {
    for (const { id, outcome } of markets) {
      if (id === '' || outcome === '') return refused('market_combinations', 'A market id or an outcome is blank');
      if (!isStorable(id) || !isStorable(outcome)) return refused('market_combinations', UNSTORABLE);
      const why = whyNoId(id);
      if (why !== null) return refused('market_combinations', `A market id ${why}`);
    }
  }
  if (repeatsPosition(legs)) return refused('market_combinations', 'The same market and outcome stands twice');
  if (!isStorable(input.source ?? '')) return refused('source', UNSTORABLE);
  if (!isStorable(input.source_details ?? '')) return refused('source_details', UNSTORABLE);
  return {
    kind: 'draft',
    draft: {
      marketCombinations: legs,
      targetPrice: input.target_price ?? PRICE_ONE,
      active: input.active,
      source: input.source || null,
      sourceDetails: input.source_details || null,
      contentHash: contentHash(legs),
    },
  };
}

const UNSTORABLE = 'Contains a NUL character or half a character';

/** PostgreSQL keeps neither NUL nor a lone half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** `market_combinations[0].markets[1].outcome`, as a person would write it. */
function fieldOf(path: readonly PropertyKey[] | undefined): string | null {
  if (path === undefined || path.length === 0) return null;
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index ? '.' : ''}${String(step)}`))
    .join('');
}
