import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { bookOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { bestBaskets } from '@dutchbook/engine/relation/baskets.ts';
import { boundsOfBook } from '@dutchbook/engine/relation/bounds.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { wireEvent } from '../wire.ts';
import { marketEvent, questionOf, readMarket, type SkippedMarket } from './listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const fileOf = (name: string) => join(DATA_DIR, 'kalshi/events', `${name}.json.gz`);
const isPresent = existsSync(fileOf('events_sports_nested'));
if (!isPresent)
  process.stdout.write('recorded market data is not there: the catalogue is not tested on recorded Kalshi events\n');

const NOW = instantFromIso('2026-08-09T00:00:00Z');
const FEES = { type: 'quadratic_with_maker_fees', multiplier: 1 };

type RawMarket = { ticker: string; yes_bid_dollars: string; yes_ask_dollars: string };
type RawEvent = { event_ticker: string; markets: RawMarket[] };
const contentOf = (name: string) => JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString());

function eventsIn(name: string): RawEvent[] {
  const content = contentOf(name);
  if (Array.isArray(content)) return content as RawEvent[];
  return (content.events ?? Object.values(content.events_by_series).flat()) as RawEvent[];
}

function readEvents(name = 'events_sports_nested'): { raw: RawEvent; markets: (Market | SkippedMarket)[] }[] {
  return eventsIn(name).map((raw) => {
    const event = marketEvent({
      event: wireEvent.parse(raw),
      tickers: raw.markets.map(({ ticker }) => ticker),
      isAugmented: true,
    });
    return { raw, markets: raw.markets.map((market) => readMarket(market, { event, feeTerms: FEES, now: NOW })) };
  });
}

/** That venue rounds a fee up to a hundredth of a cent. */
const FEE = { rate: fractionFromNumber(0.07), step: 100 as Usd };

/** Whether a basket of it costs less than it pays, by the best prices of its markets. */
function pays(relation: Relation, quotes: ReadonlyMap<string, RawMarket>): boolean {
  const bounds = relation.members.map(({ marketId }) => {
    const [bid, ask] = [quotes.get(marketId)?.yes_bid_dollars, quotes.get(marketId)?.yes_ask_dollars].map(Number);
    return boundsOfBook(bookOf(ask ? [[ask, 1]] : [], bid ? [[bid, 1]] : []), FEE);
  });
  const nothing = relation.members.map(() => null);
  return bestBaskets(relation, bounds, nothing).some(({ cost, payout }) => cost < payout);
}

it('a question says a number once, and what sets its market apart also where the title has that number for something else', () => {
  const asked = (title: string, yes_sub_title: string) => questionOf({ title, yes_sub_title });
  expect(asked('Chicago wins the game by over 6.5 points?', 'Chicago wins by over 6.5 points')).not.toContain('(');
  expect(asked('Will the high temp be 60-61° on Nov 30?', '60° to 61°')).toBe(
    'Will the high temp be 60-61° on Nov 30?',
  );
  expect(asked('Number of rate cuts in 2026?', '2 cuts')).toBe('Number of rate cuts in 2026? (2 cuts)');
  expect(asked('Number of rate cuts in 2026?', '2')).toBe('Number of rate cuts in 2026? (2)');
  expect(asked('SOL price on Nov 20?', '$20 or above')).toBe('SOL price on Nov 20? ($20 or above)');
});

describe.runIf(isPresent)('recorded Kalshi events', () => {
  it('are read whole: 245 markets that can be traded, each with its grid, its pocket and what both sides pay in fees', () => {
    const markets = readEvents().flatMap((event) => event.markets);
    const tradable = markets.filter((market): market is Market => 'outcomes' in market);
    expect(markets.filter((market) => !('outcomes' in market))).toEqual([]);
    expect(tradable).toHaveLength(245);
    for (const market of tradable) {
      expect(market.outcomes.map(({ tokenId }) => tokenId)).toEqual([`${market.id}:yes`, `${market.id}:no`]);
      expect([market.acceptingOrders, market.netsOutcomes, market.pocket]).toEqual([true, true, '0']);
      expect(market.feeSchedule?.rate).toBe(70_000);
      expect(market.makerFeeSchedule?.rate).toBe(17_500);
    }
  });

  it.each([
    ['events_sports_nested', { exclusive: 17, ladders: 24, pairs: 412 }],
    ['events_nfl_preseason', { exclusive: 32, ladders: 0, pairs: 0 }],
    ['events_mlb_props_nested', { exclusive: 0, ladders: 62, pairs: 453 }],
  ])(
    '%s: are discovered with the relations that are in them, none of which pays by its quotes after fees',
    (name, expected) => {
      const found = readEvents(name).flatMap(({ raw, markets }) => {
        const event = readCatalogueEvent({
          event: wireEvent.parse(raw),
          series: null,
          markets: raw.markets.map((market, place) => ({ raw: market, read: markets[place] as Market })),
        });
        const quotes = new Map(raw.markets.map((market, place) => [markets[place]?.id ?? '', market]));
        return readRelations(event).relations.map((relation) => ({ relation, quotes }));
      });
      const ladders = found.filter(({ relation }) => relation.kind === 'ladder');
      const exclusive = found.filter(({ relation }) => relation.kind !== 'ladder' && relation.kind !== 'pair');
      const pairs = ladders.reduce(
        (
          sum,
          {
            relation: {
              members: { length },
            },
          },
        ) => sum + (length * (length - 1)) / 2,
        0,
      );
      expect({ exclusive: exclusive.length, ladders: ladders.length, pairs }).toEqual(expected);
      expect(
        found.filter(({ relation, quotes }) => pays(relation, quotes)).map(({ relation }) => relation.members),
      ).toEqual([]);
    },
  );

  it('trap 21: call an event of which at most one member comes true augmented, because nothing says that one does', () => {
    const events = readEvents().map(({ raw, markets }) => {
      const event = wireEvent.parse(raw);
      const read = readCatalogueEvent({
        event,
        series: null,
        markets: raw.markets.map((market, place) => ({ raw: market, read: markets[place] as Market })),
      });
      return { event, read };
    });
    const exclusive = events.filter(({ event }) => event.mutually_exclusive === true);
    expect(exclusive).toHaveLength(17);
    expect(exclusive.every(({ read }) => read.exclusive === 'declared' && read.augmented && read.isWhole)).toBe(true);
    expect(events.every(({ event, read }) => (event.mutually_exclusive === true) === read.augmented)).toBe(true);
  });

  it('that are settled or closed say what a share pays, and whether that is final', () => {
    const { markets } = contentOf('markets_settled') as { markets: { status: string; result: string }[] };
    for (const raw of markets) {
      const read = readMarket(raw, { event: null, feeTerms: null, now: NOW });
      if (!('outcomes' in read)) throw new Error(read.reason);
      const paid = read.outcomes.map(({ resolvedValue }) => resolvedValue);
      const expected = { yes: [1_000_000, 0], no: [0, 1_000_000] }[raw.result] ?? [undefined, undefined];
      expect(paid).toEqual(expected);
      expect([read.closed, read.acceptingOrders, read.feeSchedule]).toEqual([true, false, null]);
      expect(read.isProvisional === true).toBe(raw.status === 'determined');
    }
  });
});
