import { describe, expect, it } from 'vitest';
import type { Position } from '../opportunity/position.ts';
import type { GateQuote } from '../risk/context.ts';
import { Revaluations, SLICES } from './revaluations.ts';
import { Roster } from './roster.ts';
import { type OpportunityRow, type Tracked, trackedOf } from './tracked.ts';

/** More than are valued in one slice, and in two. */
const MANY = 2500;

/** Opportunities that all want rain, each with snow of its own, and what each was seen to cost, in the order it was seen. */
function openDesk(count = MANY) {
  const prices = new Map<string, string>();
  const seen = new Map<string, string[]>();
  const roster = new Roster<Tracked>();
  const quoted = (at: ReadonlyMap<string, string>) => (positions: readonly Position[]) =>
    positions.map(({ marketId }) => ({ marketId, whyLeftOut: at.get(marketId) ?? '0' }) as GateQuote);
  const quotes = {
    current: (positions: readonly Position[]) => quoted(prices)(positions),
    frozen: (marketIds: ReadonlySet<string>) => {
      const then = new Map([...prices].filter(([id]) => marketIds.has(id)));
      return (positions: readonly Position[]) => quoted(new Map([...prices, ...then]))(positions);
    },
  };
  const tracked = Array.from({ length: count }, (_, index) => opportunity(`${index}`, ['rain', `snow-${index}`]));
  for (const each of tracked) roster.add(each);
  const revaluations = new Revaluations(roster, quotes, SLICES);
  let isLeft = false;
  let overruns = 0;
  const needed = {
    evaluate: (each: Tracked, known: readonly GateQuote[]) => {
      const costs = known.map(({ whyLeftOut }) => whyLeftOut).join('+');
      seen.set(each.row.id, [...(seen.get(each.row.id) ?? []), costs]);
    },
    later: () => {
      isLeft = true;
    },
    overrun: () => {
      overruns += 1;
    },
  };
  const goOn = () => {
    isLeft = false;
    revaluations.next(needed);
  };
  return {
    overruns: () => overruns,
    isLeft: () => isLeft,
    lastChange: () => revaluations.lastChange,
    roster,
    tracked,
    seenBy: (index: number) => seen.get(`${index}`) ?? [],
    valued: () => seen.size,
    price: (...changed: [marketId: string, price: string][]) => {
      for (const [marketId, price] of changed) prices.set(marketId, price);
      revaluations.ofMarkets(new Set(changed.map(([marketId]) => marketId)), needed);
    },
    changeSettings: () => revaluations.ofAll(needed),
    goOn,
    finish: () => {
      while (isLeft) goOn();
    },
  };
}

function opportunity(id: string, marketIds: readonly string[]): Tracked {
  const positions = marketIds.map((marketId, leg) => ({ leg: leg + 1, marketId, outcome: 'Yes' }));
  return trackedOf({ id, triggered: false } as OpportunityRow, positions);
}

describe('a change of a market', () => {
  it('of few opportunities has them valued at once', () => {
    const desk = openDesk(40);
    desk.price(['rain', '5']);
    expect(desk.valued()).toBe(40);
  });

  it('of more than are valued in one slice leaves the rest for later, and values every one', () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    expect(desk.valued()).toBe(1000);
    desk.goOn();
    expect(desk.valued()).toBe(2000);
    expect(desk.isLeft()).toBe(true);
    desk.goOn();
    expect(desk.isLeft()).toBe(false);
    desk.goOn();
    expect(desk.lastChange()).toBe(1);
    expect(desk.tracked.map((_, index) => desk.seenBy(index))).toEqual(Array(MANY).fill(['5+0']));
  });

  it('is seen by every opportunity, in the order of changes, however soon the next one comes', () => {
    const desk = openDesk();
    for (const price of ['5', '9', '4']) desk.price(['rain', price]);
    desk.finish();
    expect(desk.tracked.map((_, index) => desk.seenBy(index))).toEqual(Array(MANY).fill(['5+0', '9+0', '4+0']));
  });

  it('of few is seen at once while a change of many is under way, and nothing that never was is seen after it', () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    desk.price(['rain', '9']);
    desk.price([`snow-${MANY - 1}`, '1']);
    expect(desk.seenBy(MANY - 1)).toEqual(['9+1']);
    desk.finish();
    expect(desk.seenBy(MANY - 1)).toEqual(['9+1']);
    expect(desk.seenBy(MANY - 2)).toEqual(['5+0', '9+0']);
  });

  it('of many is not seen together with a later one of many others', () => {
    const desk = openDesk();
    for (const each of desk.tracked) desk.roster.remove(each);
    for (let index = 0; index < MANY; index++) desk.roster.add(opportunity(`${index}`, ['rain', 'snow']));
    desk.price(['rain', '5']);
    desk.price(['snow', '1']);
    desk.price(['rain', '9']);
    desk.finish();
    // What a later change moves as well is left to that one.
    expect(desk.seenBy(MANY - 1)).toEqual(['9+1']);
    const states = ['5+0', '5+1', '9+1'];
    for (let index = 0; index < MANY; index++) {
      expect(desk.seenBy(index).at(-1)).toBe('9+1');
      expect(states).toEqual(expect.arrayContaining(desk.seenBy(index)));
    }
  });

  it('passes over what is not followed any more', () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    const last = desk.tracked[MANY - 1];
    if (last !== undefined) desk.roster.remove(last);
    desk.finish();
    expect(desk.valued()).toBe(MANY - 1);
  });

  it('is valued together with later ones where they come faster than they can be valued, and that is said once', () => {
    const desk = openDesk();
    for (let price = 1; price <= 60; price++) desk.price(['rain', `${price}`]);
    expect(desk.overruns()).toBe(1);
    desk.finish();
    const seen = desk.seenBy(MANY - 1);
    expect(seen).toHaveLength(20);
    expect(seen.at(-1)).toBe('60+0');
    for (let price = 1; price <= 60; price++) desk.price(['rain', `${price}`]);
    expect(desk.overruns()).toBe(2);
  });
});

describe('a change of the settings', () => {
  it('has everything valued by what holds now, and nothing by what was waiting', () => {
    const desk = openDesk();
    desk.price(['rain', '5']);
    desk.price(['rain', '9']);
    desk.changeSettings();
    expect(desk.seenBy(0)).toEqual(['5+0']);
    desk.finish();
    expect(desk.seenBy(0)).toEqual(['5+0', '9+0']);
    expect(desk.seenBy(MANY - 1)).toEqual(['9+0']);
  });

  it('is valued in slices too', () => {
    const desk = openDesk();
    desk.changeSettings();
    expect(desk.valued()).toBe(1000);
    desk.finish();
    expect(desk.valued()).toBe(MANY);
  });
});
