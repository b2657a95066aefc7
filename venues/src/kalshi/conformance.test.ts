import { afterAll, beforeAll, describe, it } from 'vitest';
import { CONFORMANCE_CASES } from '../conformance/cases.ts';
import type { Venue } from '../venue.ts';
import { KalshiWorld } from './kalshi-bench.fixture.ts';

/**
 * Those that this venue cannot have: 3 and 12 ask for events of which exactly one member comes true and for several steps in the
 * middle of the prices; 26 has an account trade with itself; 33 to 36 and 69 are of contracts, signatures over dollars and
 * allowances; 35 of several matches that are one fill; 44, 47, 48, 50 to 52 and 54 to 58 of ways to fail or to hold an order back that it
 * does not have, 56 of its heartbeat; 61 to 65 and 68 of sockets, steps and faults of another stream, which
 * market-stream.test.ts has in this venue's words; 82 to 85 of splits and of what waits to be redeemed.
 */
const CASES = [
  ...[1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32, 34, 37, 38, 39],
  ...[40, 41, 42, 43, 45, 46, 49, 53, 60, 66, 67, 80, 81, 86, 87, 88],
];

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

  for (const { number, title, run } of CONFORMANCE_CASES.filter((each) => CASES.includes(each.number))) {
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
