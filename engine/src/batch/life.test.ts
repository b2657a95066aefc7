import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { notional, usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptStatus, OrderState } from '../order/life.ts';
import {
  BATCH_LIFE,
  type BatchEvent,
  type BatchStatus,
  batchAfter,
  endedBatchStatus,
  filledFraction,
  isActive,
} from './life.ts';

const EVENTS: BatchEvent[] = [
  'started',
  'completed',
  'partial_completed',
  'failed',
  'canceled',
  'retry_requested',
  'sold',
];

/** A row for each status, a column for each event. `-` is: refused. */
const LIFE = `
                     started     completed  partial_completed  failed  canceled  retry_requested  sold
  pending            processing  -          -                  -       canceled  -                -
  processing         -           completed  partial_completed  failed  canceled  -                -
  completed          -           -          partial_completed  failed  -         -                sold
  sold               -           completed  partial_completed  failed  -         -                -
  partial_completed  -           completed  -                  failed  -         retry_pending    sold
  failed             -           completed  partial_completed  -       -         retry_pending    -
  canceled           -           -          -                  -       -         -                -
  retry_pending      processing  completed  partial_completed  failed  canceled  -                -
`;

const rows = LIFE.trim()
  .split('\n')
  .slice(1)
  .map((row) => row.trim().split(/\s+/));
const cells = rows.flatMap(([status = '', ...after]) =>
  EVENTS.map((event, index) => ({ status: status as BatchStatus, event, after: after[index] ?? '' })),
);

describe('the life of a batch', () => {
  it('covers every status and every event', () => {
    expect(cells.length).toBe(8 * 7);
    expect(Object.keys(BATCH_LIFE).sort()).toEqual(rows.map(([status]) => status).sort());
  });

  it.each(cells)('$status, $event: $after', ({ status, event, after }) => {
    const outcome = batchAfter(status, event);
    if (after === '-') expect(outcome.kind).toBe('refused');
    else expect(outcome).toEqual({ kind: 'moved', status: after });
  });

  it.each([
    { status: 'completed', event: 'canceled', reason: 'The batch is completed and cannot be canceled' },
    { status: 'processing', event: 'retry_requested', reason: 'The batch is processing and cannot be retried' },
    { status: 'failed', event: 'sold', reason: 'The batch is failed and cannot be sold' },
    { status: 'completed', event: 'started', reason: 'The batch is completed and cannot be started' },
    { status: 'pending', event: 'completed', reason: 'The batch is pending and cannot be completed' },
    { status: 'pending', event: 'partial_completed', reason: 'The batch is pending and cannot be partially completed' },
    { status: 'canceled', event: 'failed', reason: 'The batch is canceled and cannot fail' },
  ] as const)('refuses with the state: $reason', ({ status, event, reason }) => {
    expect(batchAfter(status, event)).toEqual({ kind: 'refused', reason });
  });

  it('is active exactly where it can be canceled', () => {
    for (const [status = ''] of rows) {
      const canceled = batchAfter(status as BatchStatus, 'canceled');
      expect([status, isActive(status as BatchStatus)]).toEqual([status, canceled.kind === 'moved']);
    }
  });
});

/** An order for ten shares, of which `filled` are, by one attempt. */
function order(filled: number, status: AttemptStatus): OrderState {
  const size = sharesFromNumber(filled);
  const fill = {
    attemptId: 'a',
    tradeId: 't',
    price: priceFromNumber(0.4),
    size,
    cost: notional(size, priceFromNumber(0.4), 'up'),
    fee: usdFromNumber(0),
    settlement: 'mined' as const,
  };
  const attempts = [{ id: 'a', status, matchedSize: size }];
  return { size: sharesFromNumber(10), attempts, fills: filled > 0 ? [fill] : [] };
}

describe('the result of a batch', () => {
  const endedAs = (orders: OrderState[], minimum = 1) => endedBatchStatus(orders, fractionFromNumber(minimum));

  it.each([
    { name: 'all filled', orders: [order(10, 'matched'), order(10, 'open')], status: 'completed' },
    { name: 'one order still rests', orders: [order(10, 'matched'), order(0, 'open')], status: null },
    { name: 'one order unanswered', orders: [order(10, 'matched'), order(0, 'sent')], status: null },
    { name: 'one order never attempted', orders: [{ ...order(0, 'sent'), attempts: [] }], status: null },
    { name: 'a part filled', orders: [order(10, 'matched'), order(4, 'canceled')], status: 'partial_completed' },
    {
      name: 'one filled, one refused',
      orders: [order(10, 'matched'), order(0, 'rejected')],
      status: 'partial_completed',
    },
    { name: 'nothing filled', orders: [order(0, 'canceled'), order(0, 'failed')], status: 'failed' },
    {
      name: 'more filled than wanted',
      orders: [order(12, 'matched'), order(8, 'canceled')],
      status: 'partial_completed',
    },
  ])('$name: $status', ({ orders, status }) => {
    expect(endedAs(orders)).toBe(status);
  });

  it('counts as completed from the success rate on', () => {
    const orders = [order(10, 'matched'), order(4, 'canceled')];
    expect(endedAs(orders, 0.7)).toBe('completed');
    expect(endedAs(orders, 0.700001)).toBe('partial_completed');
  });

  it('never counts as completed with nothing filled', () => {
    expect(endedAs([order(0, 'rejected')], 0)).toBe('failed');
  });

  it('has a filled fraction that rounds up to all only where less than a hundredth of a share is missing', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 1e13 }), fc.integer({ min: 0, max: 1e13 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(sizes, (pairs) => {
        const orders = pairs.map(([wanted, filled]) => ({
          size: sharesFromNumber(wanted / 1e6),
          fills: order(filled / 1e6, 'matched').fills,
        }));
        const wanted = pairs.reduce((sum, [size]) => sum + BigInt(size), 0n);
        const counted = ([size, fill]: [number, number]) => (fill > 0 && size - fill < 10_000 ? size : fill);
        const filled = pairs.reduce((sum, pair) => sum + BigInt(counted(pair)), 0n);
        expect(filledFraction(orders)).toBe(Number((filled * 1_000_000n) / wanted));
      }),
    );
    expect(filledFraction([])).toBe(0);
  });
});
