/** Relations read from recorded events with nested markets; none of them pays. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf } from '../opportunity/quotes.fixture.ts';
import { bestBaskets } from './baskets.ts';
import { type Bounds, boundsOfBook } from './bounds.ts';
import { eventOf, memberOf } from './catalogue-event.fixture.ts';
import { catalogueEventOf, type RecordedEvent, type RecordedMarket, strikeOf } from './kalshi-events.fixture.ts';
import { readRelations } from './read-relations.ts';
import type { Relation } from './relation.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../shared/data');
const FOLDER = join(DATA_DIR, 'kalshi/events');
const isPresent = existsSync(FOLDER);
if (!isPresent) process.stdout.write('recorded market data is not there: reading recorded events is not tested\n');

type Recording =
  | readonly RecordedEvent[]
  | { events: readonly RecordedEvent[] }
  | { events_by_series: Readonly<Record<string, readonly RecordedEvent[]>> };

function recordedEvents(name: string): readonly RecordedEvent[] {
  const recording = JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}.json.gz`))).toString()) as Recording;
  if ('events' in recording) return recording.events;
  return 'events_by_series' in recording ? Object.values(recording.events_by_series).flat() : recording;
}

/** Kalshi's fee, rounded up to a hundredth of a cent. */
const FEE = { rate: fractionFromNumber(0.07), step: 100 as Usd };
const FREE = { rate: fractionFromNumber(0), step: 1 as Usd };

function offers({ yes_ask_dollars, no_bid_dollars }: RecordedMarket): boolean {
  return Number(no_bid_dollars) > 0 && Number(yes_ask_dollars) > 0;
}

function boundsOf(market: RecordedMarket, fee: typeof FEE): Bounds {
  const bid = Number(market.yes_bid_dollars);
  return boundsOfBook(
    bookOf(offers(market) ? [[Number(market.yes_ask_dollars), 1]] : [], bid > 0 ? [[bid, 1]] : []),
    fee,
  );
}

/** In dollars, to four places. */
function dollars(micro: number): number {
  return Math.round(micro / 100) / 10_000;
}

function pays({ markets }: RecordedEvent, relation: Relation, fee: typeof FEE): boolean {
  const known = new Map(markets.map((market) => [market.ticker, market]));
  const members = relation.members.flatMap(({ marketId }) => known.get(marketId) ?? []);
  return bestBaskets(
    relation,
    members.map((market) => boundsOf(market, fee)),
    members.map(() => null),
  ).some(({ cost, payout }) => cost < payout);
}

function totals({ markets }: RecordedEvent, fee: typeof FEE) {
  const bounds = markets.map((market) => boundsOf(market, fee));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    asks: markets.every(offers) ? sum(bounds.map(({ high }) => high)) : Number.POSITIVE_INFINITY,
    bids: sum(bounds.map(({ low }) => Math.max(0, low))),
  };
}

const exclusives = (events: readonly RecordedEvent[]) => events.filter((event) => event.mutually_exclusive);
const laddersOf = (events: readonly RecordedEvent[]) =>
  events.flatMap((event) =>
    readRelations(catalogueEventOf(event))
      .relations.filter(({ kind }) => kind === 'ladder')
      .map((relation) => ({ event, relation })),
  );
const pairsOf = (ladders: ReturnType<typeof laddersOf>) =>
  ladders.reduce((pairs, { relation: { members } }) => pairs + (members.length * (members.length - 1)) / 2, 0);

describe.runIf(isPresent)('recorded events', () => {
  it('of sports are 17 exclusive ones, of which one looks cheap, and 24 ladders in order', () => {
    const events = recordedEvents('events_sports_nested');
    expect([events.length, events.flatMap(({ markets }) => markets).length, exclusives(events).length]).toEqual([
      32, 245, 17,
    ]);
    const cheap = exclusives(events).filter((event) => totals(event, FREE).asks < PRICE_ONE);
    expect(
      cheap.map((event) => [
        event.event_ticker,
        dollars(totals(event, FREE).asks),
        dollars(PRICE_ONE - totals(event, FEE).asks),
      ]),
    ).toEqual([['KXMLBGAME-26AUG091610LADAZ', 0.97, -0.0049]]);
    const ladders = laddersOf(events);
    expect([ladders.length, pairsOf(ladders)]).toEqual([24, 412]);
    expect(ladders.filter(({ event, relation }) => pays(event, relation, FREE))).toEqual([]);
  });

  it('of preseason games are 32 exclusive ones, of which one looks cheap and one dear, before fees', () => {
    const events = exclusives(recordedEvents('events_nfl_preseason'));
    expect(events).toHaveLength(32);
    const figures = (side: 'asks' | 'bids') =>
      events
        .filter((event) =>
          side === 'asks' ? totals(event, FREE).asks < PRICE_ONE : totals(event, FREE).bids > PRICE_ONE,
        )
        .map((event) => {
          const net = totals(event, FEE)[side];
          return [
            event.event_ticker,
            dollars(totals(event, FREE)[side]),
            dollars(side === 'asks' ? PRICE_ONE - net : net - PRICE_ONE),
          ];
        });
    expect(figures('asks')).toEqual([['KXNFLGAME-26AUG14MIAWAS', 0.99, -0.0245]]);
    expect(figures('bids')).toEqual([['KXNFLGAME-26AUG13LACHOU', 1.01, -0.025]]);
  });

  it('of players’ figures are 62 ladders in order', () => {
    const ladders = laddersOf(recordedEvents('events_mlb_props_nested'));
    expect([ladders.length, pairsOf(ladders)]).toEqual([62, 453]);
    expect(ladders.filter(({ event, relation }) => pays(event, relation, FREE))).toEqual([]);
  });

  it('hold nothing that pays after fees', () => {
    const events = ['events_sports_nested', 'events_nfl_preseason', 'events_mlb_props_nested'].flatMap(recordedEvents);
    const read = events.flatMap((event) =>
      readRelations(catalogueEventOf(event)).relations.map((relation) => ({ event, relation })),
    );
    expect(read.filter(({ relation }) => relation.kind !== 'pair').length).toBe(17 + 32 + 24 + 62);
    expect(read.filter(({ event, relation }) => pays(event, relation, FEE))).toEqual([]);
  });
});

describe('a strike of a venue that has a field for it', () => {
  it('is what its type says, whatever number its ticker ends with', () => {
    expect(strikeOf({ strike_type: 'less', cap_strike: 84 })).toEqual({ kind: 'below', cap: 84, hasCap: false });
    expect(strikeOf({ strike_type: 'greater', floor_strike: 91 })).toEqual({
      kind: 'above',
      floor: 91,
      hasFloor: false,
    });
    expect(strikeOf({ strike_type: 'structured', floor_strike: 1.5 })).toBeNull();
    const question = 'Will the high in New York be this on Jan 3, 2026?';
    const event = eventOf([
      memberOf(question, {
        marketId: 'KXHIGHNY-26JAN03-T84',
        strike: strikeOf({ strike_type: 'less', cap_strike: 84 }),
      }),
      memberOf(question, {
        marketId: 'KXHIGHNY-26JAN03-T91',
        strike: strikeOf({ strike_type: 'greater', floor_strike: 91 }),
      }),
    ]);
    expect(readRelations(event).relations.map(({ kind }) => kind)).toEqual(['pair', 'pair']);
  });
});
