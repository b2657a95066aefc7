/** What recorded pages of the venue say: full of sets that look cheap, and none of them is. */
import { existsSync } from 'node:fs';
import { bestBaskets } from '@dutchbook/engine/relation/baskets.ts';
import { UNQUOTED } from '@dutchbook/engine/relation/bounds.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { describe, expect, it } from 'vitest';
import { readGammaMarket } from '../listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';
import { NONE, type Recorded, recordedMarkets, recordings } from './recorded-markets.fixture.ts';

type Group = { event: CatalogueEvent; markets: Recorded[] };

/** The negative-risk events that open markets of a page belong to, as a whole or with what the page happens to hold. */
function groupsOf(markets: readonly Recorded[], isWhole: boolean): Group[] {
  const groups = Map.groupBy(
    markets.filter(({ negRisk }) => negRisk === true),
    ({ events: [{ id }] }) => id,
  );
  return [...groups.values()].flatMap((members) => {
    const event = readCatalogueEvent({ ...members[0]?.events[0], markets: members }, (raw) =>
      readGammaMarket(raw, 137),
    );
    return event === null ? [] : [{ event: { ...event, isWhole }, markets: members }];
  });
}

function sumOf(markets: readonly Recorded[], side: 'bestBid' | 'bestAsk'): number {
  return (
    Math.round(markets.reduce((sum, market) => sum + (market[side] ?? (side === 'bestAsk' ? 1 : 0)), 0) * 1000) / 1000
  );
}

function isUnbroken({ event }: Group): boolean {
  const places = event.members.map(({ memberIndex }) => memberIndex ?? -1).sort((one, other) => one - other);
  return places.every((place, index) => place === index);
}

/** Baskets that pay, by the best prices of the page and without fees. */
function paying({ event, markets }: Group): Relation[] {
  const quotes = new Map(markets.map((market) => [market.conditionId, market]));
  return readRelations(event).relations.filter((relation) => {
    const members = relation.members.map(({ marketId }) => quotes.get(marketId));
    const bounds = members.map((quote) => ({
      low: (quote?.bestBid ?? 0) > 0 ? Math.round((quote?.bestBid ?? 0) * 1_000_000) : UNQUOTED.low,
      high: (quote?.bestAsk ?? 1) < 1 ? Math.round((quote?.bestAsk ?? 1) * 1_000_000) : UNQUOTED.high,
    }));
    return bestBaskets(
      relation,
      bounds,
      members.map(() => null),
    ).some(({ cost, payout }) => cost < payout);
  });
}

describe.runIf(existsSync(recordings))(`recorded pages (${NONE} otherwise)`, () => {
  it('of markets hold 24 events that look cheap, and no opportunity', () => {
    const groups = groupsOf(recordedMarkets('markets-2026-02-07.json.gz'), false);
    const several = groups.filter(({ markets }) => markets.length > 1);
    expect(groups).toHaveLength(144);
    expect(groups.filter(({ event }) => event.augmented)).toHaveLength(85);
    expect(several).toHaveLength(26);
    const cheap = several.filter(({ markets }) => sumOf(markets, 'bestAsk') < 1);
    expect(cheap).toHaveLength(24);
    expect(cheap.filter(({ event }) => !event.augmented)).toHaveLength(8);
    expect(groups.flatMap(paying)).toEqual([]);
    const whole = several.filter(isUnbroken);
    expect(
      whole.map(({ markets, event }) => [
        markets.length,
        event.augmented,
        sumOf(markets, 'bestAsk'),
        sumOf(markets, 'bestBid'),
      ]),
    ).toEqual([[3, false, 1.02, 0.97]]);
  });

  it('of markets have twelve that take orders while their resolution is proposed or disputed', () => {
    const read = recordedMarkets('markets-2026-02-07.json.gz').map((raw) => readGammaMarket(raw, 137));
    const waiting = read.flatMap((one) => ('market' in one && one.market.resolution !== null ? [one.market] : []));
    expect(waiting.every(({ acceptingOrders }) => acceptingOrders)).toBe(true);
    expect(waiting.map(({ resolution }) => resolution).sort()).toEqual(['disputed', ...Array(11).fill('proposed')]);
  });

  it('of markets are answered for, each event with what is watched of it or why nothing is', () => {
    const groups = groupsOf(recordedMarkets('markets-2026-02-07.json.gz'), false);
    const answers = groups.map(({ event }) => {
      const { relations, whyNot } = readRelations(event);
      const [together] = relations.filter(({ kind }) => kind !== 'pair');
      return whyNot ?? `${together?.kind}: ${together?.completeness}`;
    });
    const counts = [...Map.groupBy(answers, (answer) => answer)].map(
      ([answer, { length }]) => [length, answer] as const,
    );
    expect(counts.sort(([one], [other]) => other - one)).toEqual([
      [118, 'Only a page of markets was read of it, with 1 of its markets'],
      [25, 'at_most_one: The event was not read as a whole: members may be missing'],
      [1, 'Only 1 of its 2 markets is open and can be traded here'],
    ]);
  });

  it('of whole events hold six complete sets, of which none is cheap', () => {
    const groups = groupsOf(recordedMarkets('markets-2026-02-13.json.gz'), true);
    const figures = (group: Group) => [group.markets.length, sumOf(group.markets, 'bestAsk')];
    expect(groups).toHaveLength(9);
    expect(
      groups
        .filter(({ event }) => event.augmented)
        .map(figures)
        .sort(),
    ).toEqual([
      [10, 1.008],
      [33, 0.928],
      [42, 1.043],
    ]);
    const complete = groups.filter(({ event }) =>
      readRelations(event).relations.some(({ kind }) => kind === 'exactly_one'),
    );
    expect(
      complete.map(figures).sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0)),
    ).toEqual([
      [6, 1.017],
      [6, 1.046],
      [6, 1.323],
      [9, 1.018],
      [30, 1.058],
      [32, 1.068],
    ]);
    const largest = complete.filter(({ markets }) => markets.length >= 30);
    expect(largest.map(({ markets }) => sumOf(markets, 'bestBid')).sort()).toEqual([0.998, 0.999]);
    expect(groups.flatMap(paying)).toEqual([]);
  });
});
