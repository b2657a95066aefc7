import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptStatus, OrderState } from '../order/life.ts';
import { fillOf } from '../sell/sale.fixture.ts';
import { batchFigures } from './figures.ts';
import { holdingOf, isSoldOut } from './holding.ts';
import { BATCH_LIFE, type BatchEvent, type BatchStatus, batchAfter, isActive, resettled, stoppedAs } from './life.ts';
import { batchMetrics } from './metrics.ts';
import { type AttemptView, isToBeStopped, nextStopStep } from './next-step.ts';

const filled = (shares: number, settlement: 'confirmed' | 'failed' = 'confirmed'): OrderState => ({
  size: sharesFromNumber(10),
  attempts: [{ id: 'a', status: 'matched', matchedSize: sharesFromNumber(shares) }],
  fills: [{ ...fillOf(shares, 0.4), settlement }],
});

describe('a batch that has ended', () => {
  it.each<[BatchStatus, OrderState[], boolean, string | null]>([
    ['completed', [filled(10), filled(10)], false, null],
    ['completed', [filled(10), filled(10, 'failed')], false, 'partial_completed'],
    ['completed', [filled(10, 'failed')], false, 'failed'],
    ['failed', [filled(10)], false, 'completed'],
    ['failed', [filled(10)], true, 'completed'],
    ['completed', [filled(10)], true, 'sold'],
    ['sold', [filled(10)], true, null],
    ['sold', [filled(10)], false, 'completed'],
    ['canceled', [filled(10)], true, null],
    ['processing', [filled(10)], false, null],
  ])('as %s is judged again by its fills and sales (case %#)', (status, orders, soldOut, event) => {
    const next = resettled(status, orders, soldOut, FRACTION_ONE);
    expect(next).toBe(event);
    if (next !== null) expect(batchAfter(status, next)).toEqual({ kind: 'moved', status: next });
  });

  it('was completed when a cancellation came too late for every order', () => {
    expect(stoppedAs([filled(10), filled(10)])).toBe('completed');
    expect(stoppedAs([filled(10), filled(9)])).toBe('canceled');
    expect(stoppedAs([])).toBe('canceled');
  });
});

describe('any life of a batch', () => {
  it('ends, however it went, once its work is done', () => {
    const events = Object.keys({ ...BATCH_LIFE.pending, ...BATCH_LIFE.processing, ...BATCH_LIFE.partial_completed });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...(events as BatchEvent[]))), (happened) => {
        let status: BatchStatus = 'pending';
        for (const event of happened) {
          const next = batchAfter(status, event);
          if (next.kind === 'moved') status = next.status;
        }
        for (const event of ['started', 'failed'] as const) {
          const next = batchAfter(status, event);
          if (isActive(status) && next.kind === 'moved') status = next.status;
        }
        expect(isActive(status)).toBe(false);
      }),
    );
  });
});

describe('stopping a batch', () => {
  const now = 1_000_000 as Instant;
  const view = (statuses: AttemptStatus[], rest: Partial<AttemptView> = {}) => ({
    orders: statuses.map((status, index) => ({
      id: `${index}`,
      final: status === 'canceled',
      attempted: true,
    })),
    attempts: statuses.map((status, index) => ({
      id: `${index}`,
      status,
      polledAt: null,
      pollCount: 0,
      notified: false,
      isLeftover: false,
      waitsUntil: null,
      ...rest,
    })),
    deadline: 0 as Instant,
  });

  it('is called for where trading is not armed and its end was not asked for yet', () => {
    const toBeStopped = (cancelRequested: boolean, armed: boolean) => isToBeStopped({ cancelRequested, armed });
    expect([toBeStopped(false, false), toBeStopped(false, true), toBeStopped(true, false)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('sends nothing, then takes off what rests, then asks about what is unknown', () => {
    expect(nextStopStep(view(['prepared', 'open', 'sent']), now)).toEqual({ kind: 'abandon', attemptIds: ['0'] });
    expect(nextStopStep(view(['sent', 'open']), now)).toEqual({ kind: 'cancel', attemptIds: ['1'] });
    expect(nextStopStep(view(['sent']), now)).toEqual({ kind: 'resolve', attemptIds: ['0'] });
  });

  it('waits until it may ask again, and ends when all that was sent has ended', () => {
    const asked = { polledAt: now, pollCount: 0 };
    expect(nextStopStep(view(['open'], asked), now)).toEqual({ kind: 'wait', at: now + 150 });
    const due = (now + 150) as Instant;
    expect(nextStopStep(view(['open'], asked), due)).toEqual({ kind: 'cancel', attemptIds: ['0'] });
    const ended = { ...view(['canceled']), attempts: [] };
    const unsent = { id: 'unsent', final: false, attempted: false };
    expect(nextStopStep({ ...ended, orders: [...ended.orders, unsent] }, now)).toEqual({ kind: 'end' });
  });
});

describe('a batch that is sold out', () => {
  const order = { ...filled(10), leg: 1, marketId: 'm1', outcome: 'Yes', tokenId: 't', sales: [fillOf(9.96, 0.5)] };
  const soldOut = (atVenue: number | null, sales = order.sales) =>
    isSoldOut([
      { holding: holdingOf({ ...order, sales }), atVenue: atVenue === null ? null : sharesFromNumber(atVenue) },
    ]);

  it('has nothing left that an order could sell', () => {
    expect(soldOut(0.007)).toBe(true);
    expect(soldOut(0.01)).toBe(false);
    expect(soldOut(null)).toBe(false);
    expect(soldOut(null, [fillOf(9.991, 0.5)])).toBe(true);
    expect(soldOut(0, [])).toBe(false);
    expect(isSoldOut([])).toBe(false);
  });

  it('has sold every order that was filled, and need not sell what never was', () => {
    const sold = { holding: holdingOf({ ...order, sales: [fillOf(10, 0.5)] }), atVenue: null };
    const kept = { holding: holdingOf({ ...order, sales: [] }), atVenue: null };
    const unfilled = { holding: holdingOf({ fills: [], sales: [] }), atVenue: null };
    expect(isSoldOut([sold, unfilled])).toBe(true);
    expect(isSoldOut([sold, kept])).toBe(false);
    expect(isSoldOut([unfilled])).toBe(false);
  });

  it('makes what came in less what went out', () => {
    const figures = batchFigures([order], setPriceFromNumber(1), true);
    expect(figures).toMatchObject({ actualProfit: 4_980_000 - 4_000_000, unhedged: null });
  });
});

describe('the metrics of a batch', () => {
  it('are those of the fills that stand', () => {
    const at = (ms: number, tradeId: string, price: number, settlement: 'confirmed' | 'failed' = 'confirmed') => ({
      ...fillOf(5, price, 0.01),
      tradeId,
      settlement,
      matchedAt: ms as Instant,
    });
    const fills = [at(1200, 't1', 0.4), at(1500, 't2', 0.42), at(1100, 't3', 0.1, 'failed')];
    const orders = [
      { id: 'a', expectedPrice: priceFromNumber(0.4), fills },
      { id: 'b', expectedPrice: priceFromNumber(0.5), fills: [] },
    ];
    const own = { filled: 4_100_000, fees: 20_000, slippage: 100_000, firstFillMs: 200, lastFillMs: 500 };
    const none = { filled: 0, fees: 0, slippage: 0, firstFillMs: null, lastFillMs: null };
    expect(batchMetrics(orders, 1000 as Instant)).toEqual({
      ...own,
      perOrder: [
        { orderId: 'a', filledSize: 10_000_000, averagePrice: 410_000, ...own },
        { orderId: 'b', filledSize: 0, averagePrice: null, ...none },
      ],
    });
  });
});
