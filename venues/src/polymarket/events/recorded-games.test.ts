/** Recorded markets of games: what their types, lines and rules say together, and that nothing of it pays. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { bestBaskets } from '@dutchbook/engine/relation/baskets.ts';
import { UNQUOTED } from '@dutchbook/engine/relation/bounds.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { describe, expect, it } from 'vitest';
import { readGammaMarket } from '../listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = path.resolve(repository, process.env.MARKET_DATA_DIR ?? '../shared/data', 'polymarket');
const NONE = 'no recordings in MARKET_DATA_DIR';

type Recorded = Record<string, unknown> & {
  conditionId: string;
  sportsMarketType?: string | null;
  bestBid?: number;
  bestAsk?: number;
  events: [Record<string, unknown> & { id: string }];
};

function recordedMarkets(file: string): Recorded[] {
  const parsed = JSON.parse(gunzipSync(readFileSync(path.join(folder, 'gamma', file))).toString()) as
    | Recorded[]
    | { markets: Recorded[] };
  return Array.isArray(parsed) ? parsed : parsed.markets;
}

/** Every game of a page with what it has of it, as if all of it were open still. */
function gamesOf(markets: readonly Recorded[]): CatalogueEvent[] {
  const games = Map.groupBy(
    markets.filter(({ sportsMarketType }) => sportsMarketType),
    ({ events: [{ id }] }) => id,
  );
  return [...games.values()].flatMap((members) => {
    const open = members.map((market) => ({ ...market, closed: false }));
    const raw = { ...members[0]?.events[0], closed: false, markets: open };
    return readCatalogueEvent(raw, (market) => readGammaMarket(market, 137)) ?? [];
  });
}

/** By the best prices of the page and without fees. */
function pays(relation: Relation, markets: ReadonlyMap<string, Recorded>): boolean {
  const members = relation.members.map(({ marketId }) => markets.get(marketId));
  const bounds = members.map((quote) => ({
    low: (quote?.bestBid ?? 0) > 0 ? Math.round((quote?.bestBid ?? 0) * 1_000_000) : UNQUOTED.low,
    high: (quote?.bestAsk ?? 1) < 1 ? Math.round((quote?.bestAsk ?? 1) * 1_000_000) : UNQUOTED.high,
  }));
  const resolved = members.map(() => null);
  return bestBaskets(relation, bounds, resolved).some(({ cost, payout }) => cost < payout);
}

/** As many as can be compared with what is invented beside them, by their type. */
function comparedWith(invented: (member: EventMember) => EventMember, type: string, games: readonly CatalogueEvent[]) {
  const of = games.flatMap((event) =>
    event.members.filter(({ game }) => game?.type === type).map((member) => ({ event, member })),
  );
  const compared = of.filter(({ event, member }) => {
    const other = invented(member);
    const read = readRelations({ ...event, exclusive: null, members: [member, other] }).relations;
    return read.some(({ key }) => key.startsWith('ladder:game:'));
  });
  return [of.length, compared.length];
}

describe.runIf(existsSync(folder))(`recorded games (${NONE} otherwise)`, () => {
  it('hold ladders of one type, none that pays, and types of which nothing is known', () => {
    const markets = ['markets-2026-02-07.json.gz', 'markets-2026-02-13.json.gz'].flatMap(recordedMarkets);
    const games = gamesOf(markets);
    const members = games.flatMap((event) => event.members);
    expect(members).toHaveLength(182);
    expect(members.filter(({ game }) => game?.line !== null)).toHaveLength(125);
    expect(members.filter(({ game }) => game?.gameId !== null)).toHaveLength(8);
    expect(members.every(({ game }) => game?.startsAt !== null)).toBe(true);
    const relations = games.flatMap((event) => readRelations(event).relations);
    const ladders = relations.filter(({ kind }) => kind === 'ladder');
    expect([games.length, ladders.length]).toEqual([149, 8]);
    expect(ladders.filter(({ key }) => key.startsWith('ladder:game:'))).toEqual([]);
    const quotes = new Map(markets.map((market) => [market.conditionId, market]));
    expect(relations.filter((relation) => pays(relation, quotes))).toEqual([]);
    const reasons = games.flatMap((event) => readRelations(event).whyNot ?? []);
    expect(reasons.filter((reason) => reason.includes('of a game'))).toEqual([
      'Of its 2 markets of a game none is known to follow from another, by their types: map_participant_win_total',
      'Of its 2 markets of a game none is known to follow from another, by their types: receiving_yards, rushing_yards',
      'Of its 3 markets of a game none is known to follow from another, by their types: map_participant_win_total',
      'Of its 2 markets of a game none is known to follow from another, by their types: moneyline, tennis_first_set_totals',
    ]);
  });

  it('say in their rules what their lines are, but where maps or rounds are counted', () => {
    const games = gamesOf(recordedMarkets('markets-2026-02-07.json.gz'));
    const total = (member: EventMember, unit: string, least: number, period: string): EventMember => ({
      ...member,
      marketId: 'invented',
      question: `Invented ${least}`,
      strike: { kind: 'above', floor: least - 0.5, hasFloor: false },
      rules: member.rules.replaceAll(
        /[^.]* \d+ or more [^.]*\./g,
        `If both combine to score ${least} or more ${unit} in ${period}.`,
      ),
    });
    const asTotal = (unit: string) => (member: EventMember) => ({
      ...total(member, unit, 1, 'this game'),
      game: member.game && { ...member.game, type: 'totals' },
    });
    const asHalf = (unit: string) => (member: EventMember) => ({
      ...total(member, unit, 900, 'the first half'),
      game: member.game && { ...member.game, type: 'first_half_totals' },
    });
    const asWin = (member: EventMember) => ({
      ...member,
      marketId: 'invented',
      question: 'Invented',
      strike: null,
      rules: `If ${member.outcomes[0]} win, it resolves to "${member.outcomes[0]}". ${member.rules}`,
      game: member.game && { ...member.game, type: 'moneyline' },
    });
    // One of them does not prove of which version it is.
    expect(comparedWith(asWin, 'spreads', games)).toEqual([22, 21]);
    expect(comparedWith(asTotal('points'), 'team_totals', games)).toEqual([22, 22]);
    expect(comparedWith(asTotal('points'), 'first_half_totals', games)).toEqual([2, 2]);
    expect(comparedWith(asHalf('points'), 'totals', games)).toEqual([34, 11]);
    expect(comparedWith(asHalf('goals'), 'totals', games)).toEqual([34, 13]);
    expect(comparedWith(asWin, 'rebounds', games)).toEqual([2, 0]);
  });
});
