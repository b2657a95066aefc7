/** A recorded page of the markets that pay rewards: parts of events, with prices that are no quotes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import { describe, expect, it } from 'vitest';
import { readGammaMarket } from '../listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const FILE = join(DATA_DIR, 'polymarket/clob/sampling-markets-2026-02-08.json.gz');
const isPresent = existsSync(FILE);
if (!isPresent) process.stdout.write('recorded market data is not there: the sampling page is not tested\n');

type Sampled = {
  condition_id: string;
  question_id: string;
  question: string;
  description: string;
  end_date_iso: string | null;
  neg_risk: boolean;
  neg_risk_market_id: string;
  minimum_order_size: number;
  minimum_tick_size: number;
  tokens: readonly { token_id: string; outcome: string; price: number }[];
};

function sampledMarkets(): Sampled[] {
  return (JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as { data: Sampled[] }).data;
}

/** As the catalogue would list it. */
function listed(market: Sampled): object {
  return {
    conditionId: market.condition_id,
    questionID: market.question_id,
    question: market.question,
    description: market.description,
    endDate: market.end_date_iso,
    negRisk: market.neg_risk,
    closed: false,
    version: 'v1',
    outcomes: JSON.stringify(market.tokens.map(({ outcome }) => outcome)),
    clobTokenIds: JSON.stringify(market.tokens.map(({ token_id }) => token_id)),
    orderMinSize: market.minimum_order_size,
    orderPriceMinTickSize: market.minimum_tick_size,
  };
}

type Group = { event: CatalogueEvent; markets: readonly Sampled[] };

function groupsOf(markets: readonly Sampled[], idOf: (market: Sampled) => string): Group[] {
  return [...Map.groupBy(markets, idOf)].flatMap(([id, group]) => {
    const raw = { id, title: group[0]?.question, negRisk: group[0]?.neg_risk, markets: group.map(listed) };
    const event = readCatalogueEvent(raw, (market) => readGammaMarket(market, 137));
    return event === null ? [] : [{ event: { ...event, isWhole: false }, markets: group }];
  });
}

function isUnbroken({ event: { members } }: Group): boolean {
  const places = new Set(members.map(({ memberIndex }) => memberIndex));
  return members.every((_, place) => places.has(place));
}

describe.runIf(isPresent)('a recorded page of markets that pay rewards', () => {
  it('holds parts of 248 exclusive events, and not one complete set is read from it', () => {
    const groups = groupsOf(
      sampledMarkets().filter(({ neg_risk }) => neg_risk),
      ({ neg_risk_market_id }) => neg_risk_market_id,
    );
    const several = groups.filter(({ markets }) => markets.length > 1);
    expect([groups.length, several.length, several.filter(isUnbroken).length]).toEqual([248, 215, 119]);
    const sums = several.map(({ markets }) => markets.reduce((sum, { tokens }) => sum + (tokens[0]?.price ?? 0), 0));
    // They look cheap by prices without a seller, 169 of them by more than half a cent.
    expect([1 - 1e-9, 0.995].map((limit) => sums.filter((sum) => sum < limit).length)).toEqual([181, 169]);
    const kinds = several.flatMap(({ event }) => readRelations(event).relations.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(['pair', 'at_most_one']));
  });

  it('holds seven questions with two dates each', () => {
    const dated = sampledMarkets().filter(({ neg_risk }) => !neg_risk);
    const [all] = groupsOf(dated, () => 'all');
    const ladders = all === undefined ? [] : readRelations(all.event).relations.filter(({ kind }) => kind === 'ladder');
    const byDate = ladders.filter(({ readFrom }) => readFrom.some((text) => text.startsWith('dates')));
    expect(byDate.map(({ members }) => members.length)).toEqual([2, 2, 2, 2, 2, 2, 2]);
  });
});
