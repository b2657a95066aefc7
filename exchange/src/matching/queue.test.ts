import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterLevel, afterTrade, behind, fillsOf, type QueuedOrder } from './queue.ts';

const size = fc.integer({ min: 1, max: 1_000 }).map((whole) => whole as Shares);
const instant = (ms: number) => ms as Instant;

/** What an order behind `displayed` shares is reached by at the venue, and what a mirror fills of it by levels and trades that arrive late or soon. */
function stories(kinds: readonly ('trade' | 'join' | 'cancel')[]) {
  const step = fc.record({
    ...{ kind: fc.constantFrom(...kinds), share: size, ahead: fc.nat(1_000) },
    ...{ levelLateMs: fc.nat(9_000), tradeLateMs: fc.nat(60_000) },
  });
  return fc.record({ displayed: size, steps: fc.array(step, { maxLength: 30 }) }).map(({ displayed, steps }) => {
    let [ahead, others]: [number, number] = [displayed, 0];
    let reached = 0;
    const heard: { at: number; heardAt: number; level?: Shares; trade?: Shares }[] = [];
    let levelHeardAt = 0;
    for (const [index, { kind, share, ...late }] of steps.entries()) {
      const at = (index + 1) * 1_000;
      if (kind === 'join') others += share;
      if (kind === 'cancel') {
        const fromAhead = Math.min(ahead, share, late.ahead);
        ahead -= fromAhead;
        others -= Math.min(others, share - fromAhead);
      }
      if (kind === 'trade') {
        heard.push({ at, heardAt: at + late.tradeLateMs, trade: share });
        const met = Math.min(ahead, share);
        ahead -= met;
        reached += share - met;
        others -= Math.min(others, share - met);
      }
      // Levels stay in order, and one that is read carries the time of its reading.
      levelHeardAt = Math.max(levelHeardAt, at + late.levelLateMs);
      heard.push({ at: levelHeardAt, heardAt: levelHeardAt, level: (ahead + others) as Shares });
    }
    let place = behind(displayed);
    let mirrored = 0;
    for (const { at, level, trade } of heard.toSorted((a, b) => a.heardAt - b.heardAt)) {
      if (level !== undefined) place = afterLevel(place, level, instant(at));
      if (trade === undefined) continue;
      const met = afterTrade(place, trade, instant(at));
      place = met.place;
      mirrored += met.reach;
    }
    return { reached, mirrored };
  });
}

describe('an order in the queue of a level elsewhere', () => {
  it('is reached by what is traded beyond what was ahead of it, however late trades and levels come', () => {
    fc.assert(
      fc.property(stories(['trade', 'join']), ({ reached, mirrored }) => {
        expect(mirrored).toBe(reached);
      }),
    );
  });

  it('is reached by no more than that where others cancel, ahead of it or behind', () => {
    fc.assert(
      fc.property(stories(['trade', 'join', 'cancel']), ({ reached, mirrored }) => {
        expect(mirrored).toBeLessThanOrEqual(reached);
      }),
    );
  });

  it('moves up by a cancel: trades of later meet what is left ahead', () => {
    const place = afterLevel(behind(100 as Shares), 30 as Shares, instant(0));
    expect(afterTrade(place, 50 as Shares, instant(2_001)).reach).toBe(20);
    expect(afterTrade(place, 50 as Shares, instant(2_000)).reach).toBe(0);
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
