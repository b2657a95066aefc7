import { instantFromIso } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { cupOf } from '../discovery/discovery.fixture.ts';
import { scriptedMarkets } from '../prices/quotes/scripted-markets.fixture.ts';
import { closeListings, keepListings, type Listed, markListed } from './keep-listings.ts';
import { searchMarkets } from './search-markets.ts';

async function openDesk() {
  const test = await openTestRuntime();
  const { runtime } = test;
  const listed: Listed = (marketId) => ({
    dollars: 10,
    market: {
      ...{ id: marketId, question: '', event: null, negRisk: false, endDate: instantFromIso('2027-01-01T00:00:00Z') },
      ...{ outcomes: [{ outcome: 'Yes', tokenId: '1' }], closed: false, acceptingOrders: true, resolution: null },
      ...{ tick: 10_000, minOrderSize: 5_000_000, feeSchedule: null },
    } as never,
  });
  const { venue } = scriptedMarkets(runtime.clock);
  const asked: string[] = [];
  const world = { isAway: false, isKept: false };
  const catalogue = {
    searchLeftOut: async () => ({ data: [], count: 0 }),
    searchMarkets: async (query: { search?: string }) => {
      asked.push(query.search ?? '');
      if (world.isAway) throw new VenueUnavailable('the venue does not answer');
      return { data: [{ ...listed('theirs')?.market, id: 'theirs', question: 'Theirs?' } as never], count: 1 };
    },
  };
  return {
    ...{ ...test, asked, world },
    keep: (...names: string[]) => keepListings(runtime.db, [cupOf(names)], listed),
    close: () => closeListings(runtime.db, ['cup']),
    mark: (isContinued = false) => markListed(runtime, 'polymarket', isContinued),
    search: async (search: string) => {
      const venues = { names: venue.names, catalogue, isKept: () => world.isKept };
      const found = await searchMarkets(runtime, venues, { search, skip: 0, limit: 10 });
      const words = found.data.map(({ id, accepting_orders }) => `${id}${accepting_orders ? '' : ' over'}`);
      return [...words, ...(found.still_reading ? ['still reading'] : [])];
    },
  };
}

describe('the search', () => {
  it('is answered without the venue once all of its markets are kept, and what it does not list any more is over', async () => {
    const desk = await openDesk();
    await using _ = desk;
    await desk.keep('oslo', 'paris');
    await desk.mark();
    expect(await desk.search('cup oslo')).toEqual(['oslo']);
    expect(await desk.search('nothing')).toEqual([]);
    expect(desk.asked).toEqual([]);
    await desk.keep('oslo', 'rome');
    expect((await desk.search('cup')).sort()).toEqual(['oslo', 'rome']);
    await desk.close();
    expect((await desk.search('cup')).sort()).toEqual(['oslo over', 'rome over']);
  });

  it('needs no venue from the first page on where discovery reads all, and says until when that is not all', async () => {
    const desk = await openDesk();
    await using _ = desk;
    desk.world.isKept = true;
    expect(await desk.search('cup')).toEqual(['still reading']);
    await desk.keep('oslo');
    expect(await desk.search('cup')).toEqual(['oslo', 'still reading']);
    await desk.mark();
    expect(await desk.search('cup')).toEqual(['oslo']);
    await desk.time.advance(3_600_000);
    expect(await desk.search('cup')).toEqual(['oslo', 'still reading']);
    expect(desk.asked).toEqual([]);
  });

  it('asks the venue too where discovery is off until then, after an outage of discovery, and answers with its own where the venue does not', async () => {
    const desk = await openDesk();
    await using _ = desk;
    expect(await desk.search('cup')).toEqual(['theirs']);
    await desk.keep('oslo');
    // The first part of a pass may have been read by an older version.
    await desk.mark(true);
    expect(await desk.search('cup')).toEqual(['oslo', 'theirs']);
    desk.world.isAway = true;
    expect(await desk.search('cup')).toEqual(['oslo']);
    await expect(desk.search('nothing')).rejects.toThrow('does not answer');
    desk.world.isAway = false;
    await desk.mark();
    expect(await desk.search('cup')).toEqual(['oslo']);
    await desk.time.advance(3_600_000);
    expect(await desk.search('cup')).toEqual(['oslo', 'theirs']);
  });
});
