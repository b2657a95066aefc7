import { afterAll, beforeAll, describe, it } from 'vitest';
import { CONFORMANCE_CASES } from '../conformance/cases.ts';
import type { Venue } from '../venue.ts';
import { KalshiWorld } from './kalshi-bench.fixture.ts';

/**
 * What is read, and what is announced of books and results. 3 and 12 ask for events of which exactly one member comes true and for
 * several steps in the middle of the prices, which this venue does not have.
 */
const CASES_OF_READING = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 60, 66];

describe('Kalshi on the simulated exchange', () => {
  let world: KalshiWorld;
  let venue: Venue;
  let markets: Awaited<ReturnType<Venue['catalogue']['searchMarkets']>>['data'];

  beforeAll(async () => {
    world = await KalshiWorld.start();
    venue = await world.openVenue();
    markets = (await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data;
  });
  afterAll(async () => world?.stop());

  for (const { number, title, run } of CONFORMANCE_CASES.filter((each) => CASES_OF_READING.includes(each.number))) {
    it(`${number} ${title}`, async () => {
      const bench = world.bench(venue, markets);
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
});
