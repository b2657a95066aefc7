import type { Instant } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { noteAnswer, polymarketPace } from './pacing.ts';

const NOW = 1_000_000 as Instant;
const CANCEL_ONLY = {
  error: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
};
const DISABLED = { error: 'Trading is currently disabled. Check polymarket.com for updates' };

type Given = { method?: string; path?: string; status: number; body?: unknown; restMs?: number | null };

/** How long orders and cancels wait after these answers. */
function waits(...answers: Given[]): { orders: number; cancels: number } {
  const pace = polymarketPace();
  for (const { method = 'POST', path = '/orders', body = '', restMs = null, ...answer } of answers) {
    noteAnswer(pace, { method, path, body, restMs, ...answer }, NOW);
  }
  const wait = (purpose: 'cancel' | 'buy') => pace.slotAt({ who: purpose, purpose, orders: 1 }, NOW) - NOW;
  const cancels = wait('cancel');
  return { orders: cancels > 0 ? Math.max(cancels, wait('buy')) : wait('buy'), cancels };
}

describe('an answer of the venue', () => {
  it.each<[string, Given[], { orders: number; cancels: number }]>([
    ['wants fewer orders, and says for how long', [{ status: 429, restMs: 4000 }], { orders: 4000, cancels: 0 }],
    ['wants fewer orders', [{ status: 429 }], { orders: 1000, cancels: 0 }],
    ['wants fewer cancels', [{ method: 'DELETE', status: 429, restMs: 4000 }], { orders: 4000, cancels: 4000 }],
    ['restarts its engine', [{ status: 425 }], { orders: 1000, cancels: 0 }],
    ['only cancels', [{ status: 503, body: CANCEL_ONLY }], { orders: 1000, cancels: 0 }],
    ['does nothing', [{ method: 'DELETE', status: 503, body: DISABLED }], { orders: 1000, cancels: 1000 }],
    ['is in trouble', [{ status: 503, body: 'upstream' }], { orders: 0, cancels: 0 }],
    ['refuses an order', [{ status: 400, body: { error: 'not enough balance' } }], { orders: 0, cancels: 0 }],
    [
      'wants fewer orders, also where it then answers one that had left before',
      [
        { status: 429, restMs: 4000 },
        { status: 200, body: [] },
      ],
      { orders: 4000, cancels: 0 },
    ],
    [
      'cancels, and takes no orders yet',
      [{ status: 429 }, { method: 'DELETE', status: 200 }],
      { orders: 1000, cancels: 0 },
    ],
    ['is about a key', [{ path: '/auth/api-key', status: 429, restMs: 4000 }], { orders: 0, cancels: 0 }],
  ])('that %s', (_, answers, expected) => {
    expect(waits(...answers)).toEqual(expected);
  });
});
