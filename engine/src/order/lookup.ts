/** The venue's answer to a lookup by an order's hash. */
import type { Shares } from '@dutchbook/units/shares.ts';
import type { OrderWord } from './ending.ts';

/** `byTradesOnly`: nothing but its trades tells of it. `unknown`: the venue did not answer, or not clearly. */
export type OrderLookup =
  | {
      kind: 'found';
      order: {
        venueName?: string;
        status: 'open' | 'matched' | 'delayed' | 'canceled' | 'invalid';
        matchedSize: Shares;
      };
      byTradesOnly?: true;
    }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export function wordOf(lookup: Exclude<OrderLookup, { kind: 'unknown' }>): OrderWord {
  if (lookup.kind === 'absent') return 'absent';
  if (lookup.byTradesOnly) return 'traded';
  const { status } = lookup.order;
  return status === 'canceled' || status === 'invalid' ? 'ended' : status;
}
