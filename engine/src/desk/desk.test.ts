import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { settings as GATES } from '../risk/context.fixture.ts';
import type { GateQuote } from '../risk/context.ts';
import { Desk } from './desk.ts';
import type { DeskSettings } from './desk-settings.ts';
import type { DeskEvent } from './events.ts';
import { type OpportunityRow, type Rise, type Tracked, trackedOf } from './tracked.ts';

const START = instantFromMs(1_000_000);
const SETTINGS: DeskSettings = {
  pricing: { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) },
  ...{ gates: GATES, triggerPct: percentFromNumber(2), practice: false, placesAutomatically: true },
  size: { kind: 'smallest', clipsMax: 20, clip: usdFromNumber(100), lossAllowance: usdFromNumber(25) },
};

function quote(leg: number, ask: number, changes: Partial<GateQuote> = {}): GateQuote {
  const known = { ...quoteOf(leg, [[ask, 100]], { rate: 0 }), midpoint: quoteOf(leg, [[ask, 1]]).book?.asks[0]?.price };
  return { ...known, midpoint: known.midpoint ?? null, feed: 'live', bookAgeMs: 0, ...changes };
}

function itemOf(id: string, positions = 2): Tracked {
  const row: OpportunityRow = {
    ...{ id, active: true, targetPrice: PRICE_ONE, currentPrice: null, feesPerSet: null, profitPercentage: null },
    ...{ profitUsd: null, maxProfitableSize: null, paysAt: null, about: null },
    ...{ annualisedReturn: null, triggered: false, rises: 0, refusal: null, lastChecked: null, lastError: null },
    ...{ errorCount: 0, augmentedEvent: false, resolution: null },
  };
  const legs = Array.from({ length: positions }, (_, at) => ({ leg: at + 1, marketId: `m${at + 1}`, outcome: 'Yes' }));
  return trackedOf(row, legs);
}

/** A desk that follows one opportunity of two positions, which costs a dollar: below its trigger. */
function openDesk(quotes: GateQuote[] = [quote(1, 0.5), quote(2, 0.5)]) {
  const world = { quotes, hasAnswered: true, isOpen: false, isWanted: true, isReady: true, now: START };
  const said: string[] = [];
  const proposed: { item: Tracked; rise: Rise }[] = [];
  const desk = new Desk<Tracked>(SETTINGS, {
    quotes: {
      current: () => world.quotes,
      frozen: () => () => world.quotes,
      hasAnswered: () => world.hasAnswered,
      book: () => undefined,
      marketIdOf: () => undefined,
    },
    owns: () => true,
    isWanted: () => world.isWanted,
    isOpen: () => world.isOpen,
    isReady: () => world.isReady,
  });
  const process = (event: DeskEvent<Tracked>) =>
    desk.process(event, world.now, {
      looked: ({ row }) => void said.push(`${row.id} looked at`),
      repriced: () => {},
      rose: ({ row }) => void said.push(`${row.id} rose`),
      dropped: ({ row }) => void said.push(`${row.id} dropped`),
      fell: ({ row }) => void said.push(`${row.id} fell`),
      alertChanged: (_item, { id }, change) => void said.push(`alert ${id} ${change}`),
      propose: (item, rise) => void proposed.push({ item, rise }),
      recorded: ({ row }) => void said.push(`${row.id} recorded`),
      left: ({ row }) => void said.push(`${row.id} left`),
      later: (work) => void said.push(`later: ${work}`),
      overrun: () => {},
    });
  const item = itemOf('one');
  process({ kind: 'put', item });
  const look = (at: GateQuote[] = world.quotes) => {
    world.quotes = at;
    process({ kind: 'due', item });
    return desk.isRestless(item);
  };
  return { desk, world, said, proposed, process, item, look };
}

const BELOW = [quote(1, 0.5), quote(2, 0.5)];
const ABOVE = [quote(1, 0.4), quote(2, 0.4)];

describe('what time alone may change is under watch', () => {
  it('from when it is followed until it is priced, and not once it is removed', () => {
    const { desk, item, look, process } = openDesk();
    expect([...desk.restless()]).toEqual([item]);
    expect([...desk.all()]).toEqual([item]);
    expect(desk.get('one')).toBe(item);
    expect(look()).toBe(false);
    expect(desk.restless().size).toBe(0);
    process({ kind: 'put', item });
    expect(desk.isRestless(item)).toBe(true);
    process({ kind: 'removed', item });
    expect(desk.isRestless(item)).toBe(false);
    expect(desk.get('one')).toBeUndefined();
  });

  it.each<{ what: string; quotes: GateQuote[]; isRestless: boolean }>([
    { what: 'all books are streamed', quotes: BELOW, isRestless: false },
    { what: 'a book is polled', quotes: [quote(1, 0.5), quote(2, 0.5, { feed: 'polled' })], isRestless: true },
    { what: 'a book is stale', quotes: [quote(1, 0.5), quote(2, 0.5, { feed: 'stale' })], isRestless: true },
    { what: 'a leg has no price', quotes: [quote(1, 0.5), quote(2, 0.5, { book: bookOf([]) })], isRestless: true },
  ])('where $what: $isRestless', ({ quotes, isRestless }) => {
    expect(openDesk().look(quotes)).toBe(isRestless);
  });

  it('while a person has it open', () => {
    const { world, look } = openDesk();
    world.isOpen = true;
    expect(look()).toBe(true);
    world.isOpen = false;
    expect(look()).toBe(false);
  });

  it('while its rise is not recorded, and no longer once it is', () => {
    const { proposed, process, look } = openDesk();
    expect(look(ABOVE)).toBe(true);
    const [first] = proposed;
    if (first === undefined) throw new Error('Nothing was proposed.');
    process({ kind: 'outcome', ...first, outcome: { kind: 'recorded', refusal: null } });
    expect(look()).toBe(false);
  });

  it('while it stands above its trigger and may not act on it yet', () => {
    const { world, said, look } = openDesk();
    world.isReady = false;
    expect(look(ABOVE)).toBe(true);
    expect(said).not.toContain('one rose');
    world.isReady = true;
    look();
    expect(said).toContain('one rose');
  });
});

describe('what is missing may only not have come yet', () => {
  const complete = quote(1, 0.5);
  it.each<{ what: string; known: GateQuote; isComplete: boolean }>([
    { what: 'everything is there', known: complete, isComplete: true },
    { what: 'the market is not', known: quote(2, 0.5, { market: undefined }), isComplete: false },
    { what: 'the book is not', known: quote(2, 0.5, { book: undefined }), isComplete: false },
    { what: 'neither middle nor last trade is', known: quote(2, 0.5, { midpoint: null }), isComplete: false },
    {
      what: 'the last trade stands for the middle',
      known: quote(2, 0.5, { midpoint: null, lastTrade: complete.midpoint }),
      isComplete: true,
    },
  ])('where $what, it is complete: $isComplete', ({ known, isComplete }) => {
    const { desk, world, item } = openDesk();
    world.hasAnswered = false;
    expect(desk.isComplete(item, [complete, known])).toBe(isComplete);
    world.hasAnswered = true;
    expect(desk.isComplete(item, [complete, known])).toBe(true);
  });

  it('so that it is looked at, kept under watch and not priced', () => {
    const { world, item, said, look } = openDesk();
    world.hasAnswered = false;
    expect(look([complete, quote(2, 0.5, { book: undefined })])).toBe(true);
    expect(said).toEqual(['one looked at']);
    expect(item.row.lastError).toBeNull();
  });
});

describe('a round', () => {
  it('says that it looked at each, and drops what nothing wants followed', () => {
    const { desk, world, said, process, item } = openDesk();
    process({ kind: 'time' });
    expect(new Set(said.splice(0))).toEqual(new Set(['one looked at']));
    world.isWanted = false;
    process({ kind: 'put', item });
    process({ kind: 'time' });
    expect(said).toEqual(['one left']);
    expect(desk.get('one')).toBeUndefined();
    expect(desk.restless().size).toBe(0);
  });

  it('that is not over says so, begins no other one and goes on where it was', () => {
    const { said, process, item } = openDesk();
    process({ kind: 'removed', item });
    for (let nth = 0; nth < 12; nth += 1) process({ kind: 'put', item: itemOf(`${nth}`, 50) });
    process({ kind: 'time' });
    const first = said.splice(0);
    expect(first).toHaveLength(11);
    expect(first.at(-1)).toBe('later: round');
    process({ kind: 'time' });
    expect(said).toEqual([]);
    process({ kind: 'left', work: 'values' });
    expect(said).toEqual([]);
    process({ kind: 'left', work: 'round' });
    expect(said.splice(0).filter((line) => !first.includes(line))).not.toHaveLength(0);
    expect(said).not.toContain('later: round');
  });
});

it('says that it looked at what a check has looked up', () => {
  const { said, process, item } = openDesk();
  process({ kind: 'checked', item, quotes: BELOW, asked: true, mayTrigger: false });
  expect(said).toEqual(['one looked at']);
});

it('drops a rise that comes while a hundred wait to be recorded, and says so once', () => {
  const { said, proposed, look, item } = openDesk();
  for (let nth = 0; nth < 100; nth += 1) {
    look(ABOVE);
    look(BELOW);
  }
  expect(said.filter((line) => line === 'one rose')).toHaveLength(100);
  expect(said).not.toContain('one dropped');
  look(ABOVE);
  look(ABOVE);
  expect(said.filter((line) => line === 'one dropped')).toHaveLength(1);
  expect(item.rises).toHaveLength(100);
  expect(proposed).toHaveLength(1);
});

it('proposes what waits again from the moment that was said, and not before', () => {
  const { world, proposed, process, look, item } = openDesk();
  look(ABOVE);
  const [first] = proposed;
  if (first === undefined) throw new Error('Nothing was proposed.');
  const at = (START + 500) as Instant;
  process({ kind: 'outcome', ...first, outcome: { kind: 'later', at, isLost: false } });
  world.now = (START + 499) as Instant;
  process({ kind: 'again', item });
  expect(proposed).toHaveLength(1);
  world.now = at;
  process({ kind: 'again', item });
  expect(proposed).toHaveLength(2);
});

describe('an alert of an opportunity', () => {
  const at = (pct: number) => ({ id: `at ${pct}`, atPct: percentFromNumber(pct), armed: true });
  const put = (...alerts: ReturnType<typeof at>[]) => ({ kind: 'alerts', opportunityId: 'one', alerts }) as const;
  const alertsIn = (said: readonly string[]) => said.filter((line) => line.startsWith('alert'));

  it('fires as its profit is reached, is armed again as it falls, and fires again', () => {
    const { look, process, said } = openDesk();
    process(put(at(20)));
    expect(alertsIn(said)).toEqual([]);
    for (const quotes of [ABOVE, ABOVE, BELOW, ABOVE]) look(quotes);
    expect(alertsIn(said)).toEqual(['alert at 20 fired', 'alert at 20 rearmed', 'alert at 20 fired']);
  });

  it('fires at once where its profit is reached as it is set, and values nothing where there is none left or none is followed', () => {
    const { process, said, look } = openDesk(ABOVE);
    look();
    said.length = 0;
    process(put());
    process({ ...put(at(1)), opportunityId: 'two' });
    expect(said).toEqual([]);
    process(put(at(20)));
    expect(alertsIn(said)).toEqual(['alert at 20 fired']);
    process(put());
    look(BELOW);
    expect(alertsIn(said)).toHaveLength(1);
  });

  it('does not fire by a check that may not act, nor by the last price of what has none now, nor where it is not active', () => {
    const { process, said, look, item } = openDesk();
    process(put(at(20)));
    const check = { kind: 'checked', item, quotes: ABOVE, asked: true } as const;
    process({ ...check, mayTrigger: false });
    expect(item.row.profitPercentage).toBe(percentFromNumber(25));
    look([quote(1, 0.4), quote(2, 0.4, { book: bookOf([]) })]);
    expect(item.row.profitPercentage).toBe(percentFromNumber(25));
    item.row = { ...item.row, active: false };
    process({ ...check, mayTrigger: true });
    expect(alertsIn(said)).toEqual([]);
    item.row = { ...item.row, active: true };
    process({ ...check, mayTrigger: true });
    expect(alertsIn(said)).toEqual(['alert at 20 fired']);
  });
});

it('is valued in every round while some size of it pays, and not where none does', () => {
  const { look, process, said, item } = openDesk();
  const paying = [quote(1, 0.495), quote(2, 0.495)];
  const roundAfter = (quotes: GateQuote[]) => {
    expect(look(quotes)).toBe(false);
    said.length = 0;
    process({ kind: 'time' });
    return [...said];
  };
  expect(roundAfter(paying)).toEqual(['one looked at']);
  expect(roundAfter(BELOW)).toEqual([]);
  expect(roundAfter(paying)).toEqual(['one looked at']);
  process({ kind: 'removed', item });
  said.length = 0;
  process({ kind: 'time' });
  expect(said).toEqual([]);
});
