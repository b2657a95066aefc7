import { instantFromMs } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { testTime } from '../../platform/runtime/test-time.ts';
import { followClockSkew } from './clock-skew.ts';

describe("the venue's clock beside this machine's", () => {
  it('is followed to about a second, and what was known last holds while the venue is silent', async () => {
    const time = testTime();
    let aheadMs = 0;
    let answers = true;
    const serverTime = async () => {
      if (!answers) throw new VenueUnavailable('silent');
      return instantFromMs(Math.floor((time.clock.now() + aheadMs) / 1000) * 1000);
    };
    const runtime = { ...time, log: pino({ level: 'silent' }) };
    const skew = await followClockSkew(runtime, { serverTime });
    const near = (ms: number) => expect(Math.abs((skew.currentMs() ?? Number.NaN) - ms)).toBeLessThanOrEqual(500);
    near(0);
    for (const ms of [7300, -61_000]) {
      aheadMs = ms;
      await time.advance(10_000);
      near(ms);
    }
    answers = false;
    aheadMs = 0;
    await time.advance(60_000);
    near(-61_000);
    skew.stop();
  });

  it('is not known while the venue has never said', async () => {
    const time = testTime();
    const serverTime = () => Promise.reject(new VenueUnavailable('silent'));
    const skew = await followClockSkew({ ...time, log: pino({ level: 'silent' }) }, { serverTime });
    expect(skew.currentMs()).toBeNull();
    skew.stop();
  });
});
