import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterLevel, afterTrade, behind, fillsOf, type QueuedOrder } from './queue.ts';

const size = fc.integer({ min: 1, max: 1_000 }).map((whole) => whole as Shares);
const instant = (ms: number) => ms as Instant;

describe('an order in the queue of a level elsewhere', () => {
  it('is reached by what is traded beyond the displayed size, whether trade or level comes first', () => {
    const trades = fc.array(fc.record({ share: size, levelFirst: fc.boolean() }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(size, trades, (displayed, steps) => {
        let place = behind(displayed);
        let level = displayed;
        let reached = 0;
        let traded = 0;
        for (const [index, { share, levelFirst }] of steps.entries()) {
          const at = instant(index * 100);
          const after = Math.max(0, level - share) as Shares;
          const see = () => {
            place = afterLevel(place, level, after, at);
          };
          if (levelFirst) see();
          const met = afterTrade(place, share, at);
          place = met.place;
          if (!levelFirst) see();
          reached += met.reach;
          traded += share;
          level = after;
        }
        expect(reached).toBe(Math.max(0, traded - displayed));
      }),
    );
  });

  it('moves up by cancels as far as they must have been ahead, and by no trade twice', () => {
    const steps = fc.array(fc.record({ kind: fc.constantFrom('cancel', 'trade', 'join'), share: size }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(size, steps, (displayed, taken) => {
        let place = behind(displayed);
        let level = displayed;
        let reached = 0;
        let traded = 0;
        for (const [index, { kind, share }] of taken.entries()) {
          const at = instant(index * 10_000);
          const after = (kind === 'join' ? level + share : Math.max(0, level - share)) as Shares;
          if (kind === 'trade') {
            const met = afterTrade(place, share, at);
            place = met.place;
            reached += met.reach;
            traded += share;
          }
          place = afterLevel(place, level, after, at);
          level = after;
          expect(place.ahead).toBeLessThanOrEqual(level);
        }
        expect(reached).toBeLessThanOrEqual(traded);
      }),
    );
  });

  it('shares a trade with the orders before it, the better priced ones first', () => {
    const order = fc.record({
      id: fc.uuid(),
      side: fc.constantFrom('bid' as const, 'ask' as const),
      price: fc.integer({ min: 40, max: 60 }).map((cents) => (cents * 10_000) as Price),
      remaining: size,
      place: size.map(behind),
    });
    const price = fc.integer({ min: 40, max: 60 }).map((cents) => (cents * 10_000) as Price);
    fc.assert(
      fc.property(fc.array(order, { maxLength: 8 }), price, size, (orders, at, traded) => {
        const outcomes = fillsOf({ side: 'bid', price: at, size: traded, at: instant(0) }, orders);
        const byId = new Map(orders.map((one): [string, QueuedOrder] => [one.id, one]));
        const total = outcomes.reduce((sum, { filled }) => sum + filled, 0);
        expect(total).toBeLessThanOrEqual(traded);
        for (const { id, filled } of outcomes) {
          const of = byId.get(id);
          if (of === undefined) throw new Error('only orders that are there are filled');
          expect(of.side).toBe('bid');
          expect(of.price).toBeGreaterThanOrEqual(at);
          expect(filled).toBeLessThanOrEqual(of.remaining);
          if (of.price === at) expect(filled).toBeLessThanOrEqual(Math.max(0, traded - of.place.ahead));
        }
        const through = orders.filter((one) => one.side === 'bid' && one.price > at);
        const wanted = through.reduce((sum, { remaining }) => sum + remaining, 0);
        const given = outcomes.filter(({ id }) => through.some((one) => one.id === id));
        expect(given.reduce((sum, { filled }) => sum + filled, 0)).toBe(Math.min(traded, wanted));
      }),
    );
  });
});
