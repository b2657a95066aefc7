import { setImmediate } from 'node:timers/promises';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { openRevaluations } from './revaluations.ts';
import { createRoster, type Tracked, track } from './tracked.ts';

/** More than are valued in one tick, and in two. */
const MANY = 2500;

/** Opportunities that all want rain, each with snow of its own, and what each was seen to cost, in the order it was seen. */
function openDesk(count = MANY) {
  const prices = new Map<string, string>();
  const said: string[] = [];
  const seen = new Map<string, string[]>();
  const roster = createRoster();
  const quoted = (at: ReadonlyMap<string, string>) => (positions: readonly Position[]) =>
    positions.map(({ marketId }) => ({ marketId, whyLeftOut: at.get(marketId) ?? '0' }) as LiveQuote);
  const quotes = {
    current: (positions: readonly Position[]) => quoted(prices)(positions),
    frozen: (marketIds: ReadonlySet<string>) => {
      const then = new Map([...prices].filter(([id]) => marketIds.has(id)));
      return (positions: readonly Position[]) => quoted(new Map([...prices, ...then]))(positions);
    },
  };
  const tracked = Array.from({ length: count }, (_, index) => opportunity(`${index}`, ['rain', `snow-${index}`]));
  for (const each of tracked) roster.add(each);
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) });
  const revaluations = openRevaluations({ roster, quotes, log }, (each, known, change) => {
    each.valuedBy = change;
    const costs = known.map(({ whyLeftOut }) => whyLeftOut).join('+');
    seen.set(each.row.id, [...(seen.get(each.row.id) ?? []), costs]);
  });
  return {
    said,
    revaluations,
    roster,
    tracked,
    seenBy: (index: number) => seen.get(`${index}`) ?? [],
    valued: () => seen.size,
    price: (...changed: [marketId: string, price: string][]) => {
      for (const [marketId, price] of changed) prices.set(marketId, price);
      revaluations.ofMarkets(new Set(changed.map(([marketId]) => marketId)));
    },
    valuationsDone: async () => {
      for (let tick = 0; tick < 200; tick++) await setImmediate();
    },
  };
}

function opportunity(id: string, marketIds: readonly string[]): Tracked {
  const marketCombinations = marketIds.map((market, leg) => ({
    leg: leg + 1,
    markets: [{ id: market, outcome: 'Yes' }],
  }));
  return track({ id, marketCombinations, triggered: false } as unknown as StoredOpportunity);
}

describe('a change of a market', () => {
  it('of few opportunities has them valued at once', () => {
    const desk = openDesk(40);
    desk.price(['rain', '5']);
    expect(desk.valued()).toBe(40);
  });

  it('of more than are valued in one tick yields to the event loop, and values every one', async () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    expect(desk.valued()).toBe(1000);
    await setImmediate();
    expect(desk.valued()).toBe(2000);
    await desk.valuationsDone();
    expect(desk.tracked.map((_, index) => desk.seenBy(index))).toEqual(Array(MANY).fill(['5+0']));
  });

  it('is seen by every opportunity, in the order of changes, however soon the next one comes', async () => {
    const desk = openDesk();
    for (const price of ['5', '9', '4']) desk.price(['rain', price]);
    await desk.valuationsDone();
    expect(desk.tracked.map((_, index) => desk.seenBy(index))).toEqual(Array(MANY).fill(['5+0', '9+0', '4+0']));
  });

  it('of few is seen at once while a change of many is under way, and nothing that never was is seen after it', async () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    desk.price(['rain', '9']);
    desk.price([`snow-${MANY - 1}`, '1']);
    expect(desk.seenBy(MANY - 1)).toEqual(['9+1']);
    await desk.valuationsDone();
    expect(desk.seenBy(MANY - 1)).toEqual(['9+1']);
    expect(desk.seenBy(MANY - 2)).toEqual(['5+0', '9+0']);
  });

  it('of many is not seen together with a later one of many others', async () => {
    const desk = openDesk();
    for (const each of desk.tracked) desk.roster.remove(each);
    for (let index = 0; index < MANY; index++) desk.roster.add(opportunity(`${index}`, ['rain', 'snow']));
    desk.price(['rain', '5']);
    desk.price(['snow', '1']);
    desk.price(['rain', '9']);
    await desk.valuationsDone();
    const states = ['5+0', '5+1', '9+1'];
    for (let index = 0; index < MANY; index++) {
      expect(desk.seenBy(index).at(-1)).toBe('9+1');
      expect(states).toEqual(expect.arrayContaining(desk.seenBy(index)));
    }
  });

  it('passes over what is not followed any more', async () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    const last = desk.tracked[MANY - 1];
    if (last !== undefined) desk.roster.remove(last);
    await desk.valuationsDone();
    expect(desk.valued()).toBe(MANY - 1);
  });

  it('is valued together with later ones where they come faster than they can be valued, and that is said once', async () => {
    const desk = openDesk();
    for (let price = 1; price <= 60; price++) desk.price(['rain', `${price}`]);
    expect(desk.said).toEqual(['price changes come faster than they are valued, valued together']);
    await desk.valuationsDone();
    const seen = desk.seenBy(MANY - 1);
    expect(seen).toHaveLength(20);
    expect(seen.at(-1)).toBe('60+0');
  });
});

describe('a change of the settings', () => {
  it('has everything valued by what holds now, and nothing by what was waiting', async () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    desk.price(['rain', '9']);
    desk.revaluations.ofAll();
    await desk.valuationsDone();
    expect(desk.seenBy(0)).toEqual(['5+0', '9+0']);
    expect(desk.seenBy(MANY - 1)).toEqual(['9+0']);
  });

  it('yields to the event loop', async () => {
    const desk = openDesk();
    desk.revaluations.ofAll();
    expect(desk.valued()).toBe(1000);
    await desk.valuationsDone();
    expect(desk.valued()).toBe(MANY);
  });
});
