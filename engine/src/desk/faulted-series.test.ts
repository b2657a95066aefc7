import { expect, it } from 'vitest';
import { FaultedSeries } from './faulted-series.fixture.ts';

const SERIES = 10_000;
/** Series per `npm test`; `npm run test:all` runs all. */
const PER_CHANGE = 300;
/** All series take minutes on a busy machine. */
const WHOLE_TIMEOUT_MS = 900_000;

it(
  'is bought in clips within every limit, none after an uneven one and none twice, whatever dies in between',
  () => {
    const isWhole = process.env.TEST_ALL !== undefined;
    const seen = { clips: 0, kills: 0, long: 0, uneven: 0 };
    for (let seed = 1; seed <= SERIES; seed += isWhole ? 1 : Math.floor(SERIES / PER_CHANGE)) {
      const series = new FaultedSeries(seed);
      series.run();
      const { clips, violations, carriedOut, kills } = series;
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      expect({ seed, numbers: clips.map(({ number }) => number) }).toEqual({
        seed,
        numbers: clips.map((_, nth) => nth + 1),
      });
      // Each order of each clip was carried out exactly once.
      const orders = clips.flatMap((clip) => clip.orders.map(({ leg }) => [`clip ${clip.number}, leg ${leg}`, 1]));
      expect({ seed, carriedOut: Object.fromEntries(carriedOut) }).toEqual({
        seed,
        carriedOut: Object.fromEntries(orders),
      });
      expect(clips.map(({ status }) => status)).not.toContain('processing');
      seen.clips += clips.length;
      seen.kills += kills;
      seen.long += clips.length > 2 ? 1 : 0;
      seen.uneven += clips.some(({ status }) => status === 'partial_completed') ? 1 : 0;
    }
    // The drawn series do contain faults.
    const share = isWhole ? SERIES : PER_CHANGE;
    expect(seen.kills).toBeGreaterThan(share);
    expect(seen.long).toBeGreaterThan(share / 20);
    expect(seen.uneven).toBeGreaterThan(share / 20);
  },
  WHOLE_TIMEOUT_MS,
);
