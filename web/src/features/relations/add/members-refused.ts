import type { MarketId } from '@dutchbook/units/ids.ts';
import { ApiError } from '../../../calls/api-error.ts';

/** What a 422 says of single members, by the ids that were sent in this order. */
export function membersRefused(error: unknown, marketIds: readonly MarketId[]): Map<string, string> {
  const refused = new Map<string, string>();
  for (const { loc, msg } of detailsOf(error)) {
    const [part, field, place] = loc;
    const id = typeof place === 'number' ? marketIds[place] : undefined;
    if (part === 'body' && field === 'market_ids' && id !== undefined) refused.set(id, msg);
  }
  return refused;
}

type Detail = { loc: readonly unknown[]; msg: string };

function detailsOf(error: unknown): readonly Detail[] {
  if (!(error instanceof ApiError) || error.status !== 422) return [];
  const { detail } = error.body as { detail?: unknown };
  if (!Array.isArray(detail)) return [];
  return detail.filter((entry): entry is Detail => Array.isArray(entry?.loc) && typeof entry?.msg === 'string');
}
