import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { VenueFill } from '@dutchbook/venues/venue.ts';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { followMissedFills } from './missed-fills.ts';

it('F18: a fill of an order of ours that no frame has told of is found by the timed read within ten seconds, and no other', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const { runtime, time } = test;
  const batchId = await recordedBatch(test);
  const { placing } = await start(test);
  const { attempts } = await until(test, batchId, ({ batch }) => batch.status === 'completed');
  await placing.stop();
  const [{ orderHash } = expect.unreachable()] = attempts;
  const fill = (tradeId: string, of: string): Omit<VenueFill, 'fee'> => ({
    ...{ tradeId, orderHash: of, tokenId: '101', side: 'buy', settlement: 'confirmed' },
    ...{
      price: priceFromText('0.4'),
      size: sharesFromText('1'),
      cost: usdFromText('0.4'),
      matchedAt: runtime.clock.now(),
    },
  });
  let reported: Omit<VenueFill, 'fee'>[] = [];
  const asked: number[] = [];
  const missed: string[] = [];
  const trading = {
    fillsSince: async (since: number) => {
      asked.push(since);
      return { fills: reported, unreadable: [] };
    },
  };
  const followed = followMissedFills(runtime, trading, (hash) => missed.push(hash));
  await time.advance(10_000);
  expect(missed).toEqual([]);
  reported = [fill('a trade without a frame', orderHash ?? ''), fill('of another program', 'another order')];
  const lostAt = runtime.clock.now();
  await time.advance(10_000);
  expect(missed).toEqual([orderHash]);
  expect(asked.at(-1)).toBeLessThan(instantFromMs(lostAt));
  followed.stop();
});
