import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import type { BatchState } from '../../orders/batch-state.ts';
import { atSlot } from './venue-pace.ts';

const NOW = 1000 as Instant;
const HERE = { id: 'a', orderHash: '0x1' };
const THERE = { id: 'b', orderHash: 'kalshi:1' };

function batch(status: 'processing' | 'completed'): BatchState {
  return { batch: { id: 'batch', status, simulated: false }, attempts: [HERE, THERE] } as unknown as BatchState;
}

/** The next slot of each venue. */
function paced(slots: Record<VenueName, number>) {
  const paceOf = (venue: VenueName) => ({ slotAt: () => slots[venue] as Instant }) as never;
  return { paceOf };
}

const both = { kind: 'send' as const, attemptIds: ['a', 'b'] };

it('a sale over two venues leaves at each when the slot of that one comes, and a cancelation too', () => {
  const trading = paced({ polymarket: 1000, kalshi: 4000 });
  const sold = batch('completed');
  expect(atSlot(trading, sold, both, NOW)).toEqual({ ...both, attemptIds: ['a'] });
  expect(atSlot(trading, sold, { ...both, attemptIds: ['b'] }, NOW)).toEqual({ kind: 'wait', at: 4000, forSlot: true });
  const cancel = { ...both, kind: 'cancel' as const };
  expect(atSlot(trading, batch('processing'), cancel, NOW)).toEqual({ ...cancel, attemptIds: ['a'] });
  expect(atSlot(paced({ polymarket: 3000, kalshi: 2000 }), sold, both, NOW)).toMatchObject({ kind: 'wait', at: 2000 });
  expect(atSlot(paced({ polymarket: 0, kalshi: 1000 }), sold, both, NOW)).toEqual(both);
});

it('a buy over two venues leaves at both or at none', () => {
  const trading = paced({ polymarket: 1000, kalshi: 4000 });
  expect(atSlot(trading, batch('processing'), both, NOW)).toMatchObject({ kind: 'wait', at: 4000 });
  expect(atSlot(paced({ polymarket: 1000, kalshi: 1000 }), batch('processing'), both, NOW)).toEqual(both);
});
