import type { MarketEvent } from '@dutchbook/engine/market/market.ts';
import { describe, expect, it } from 'vitest';
import { scriptedMarkets } from '../prices/quotes/scripted-markets.fixture.ts';
import { openTestRuntime } from '../test-runtime.ts';
import { importSamples } from './samples.ts';
import { listOpportunities } from './store.ts';

const EVERYTHING = { skip: 0, limit: 100, sortBy: 'source_details', sortOrder: 'asc' } as const;

describe('sample opportunities', () => {
  it('are sets over what the venue lists, each worth what it surely pays', async () => {
    await using test = await openTestRuntime();
    const venue = scriptedMarkets(test.runtime.clock);
    const event = (title: string, marketIds: string[], augmented: boolean): MarketEvent => ({
      id: title,
      title,
      negRisk: true,
      augmented,
      marketIds,
    });
    const cup = event('Cup', ['red', 'green', 'blue'], false);
    const race = event('Race', ['fast', 'slow'], true);
    const partly = event('Partly listed', ['here', 'missing'], false);
    for (const of of [cup, race, partly]) {
      for (const id of of.marketIds) if (id !== 'missing') venue.list(id, { event: of, negRisk: true });
    }
    venue.list('rain');

    expect(await importSamples(test.runtime, venue.venue.catalogue)).toBe(5);
    const { rows } = await listOpportunities(test.runtime.db, {}, EVERYTHING);
    const shown = rows.map(({ sourceDetails, targetPrice, marketCombinations }) => [
      sourceDetails,
      targetPrice / 1_000_000,
      marketCombinations.flatMap(({ markets }) => markets.map(({ id, outcome }) => `${id} ${outcome}`)).join(', '),
    ]);
    expect(shown).toEqual([
      ['Cup: No on all 3 outcomes', 2, 'red No, green No, blue No'],
      ['Cup: No on the first 2 outcomes', 1, 'red No, green No'],
      ['Cup: Yes on all 3 outcomes', 1, 'red Yes, green Yes, blue Yes'],
      ['Race: Yes on all listed 2 outcomes', 1, 'fast Yes, slow Yes'],
      ['Will rain happen? Both outcomes', 1, 'rain Yes, rain No'],
    ]);
    expect(await importSamples(test.runtime, venue.venue.catalogue)).toBe(0);
  });
});
