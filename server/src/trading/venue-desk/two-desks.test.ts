import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { readInputs } from '../execution/placing/inputs.ts';
import { startBatchRunner } from '../execution/runner/batch-runner.ts';
import { DEFAULT_SETTINGS, ended, recordedBatch, until } from '../execution/runner/runner.fixture.ts';
import { scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import { disarm } from '../trading-controls/arming.ts';
import { openTradingControls } from '../trading-controls/controls.ts';
import { limitUse } from '../under-way/limit-use.ts';
import { desksOf, type VenueDesk } from './desks.ts';

const BY = { actor: { id: null, email: 'boss@example.com', address: '127.0.0.1' } };
const TOKENS = { polymarket: ['101', '102'], kalshi: ['kalshi:101', 'kalshi:102'] };
const VENUES = ['polymarket', 'kalshi'] as const;

it('two accounts trade beside one another, and neither sees the orders, cash or switch of the other', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const { runtime } = test;
  const venues = VENUES.map(() => scriptedTrading(runtime));
  const desks = desksOf(
    await Promise.all(
      VENUES.map(async (name, place): Promise<VenueDesk> => {
        const { trading = null, openUserStream } = venues[place]?.venue ?? expect.unreachable();
        const reading = () => ({ cash: usdFromText('100'), allowances: null, at: runtime.clock.now() });
        return {
          ...{ name, trading, chain: null, moves: null, openUserStream, soundness: () => ({ clockSkewMs: null }) },
          account: { reading, refresh: async () => reading(), stop: () => {} },
          controls: await openTradingControls(runtime, name),
        };
      }),
    ),
  );
  const ready = { reconciled: true, placesFound: false, corruptSettings: [] };
  const accounts = async () =>
    (await readInputs({ runtime, desks, readiness: () => ready }, { practice: false })).account.accounts;

  const bought = [await recordedBatch(test, {}, TOKENS.kalshi)];
  expect((await accounts()).get('polymarket')?.balance).toBe(usdFromText('100'));
  expect((await accounts()).get('kalshi')?.balance).toBe(usdFromText('92'));
  bought.push(await recordedBatch(test, {}, TOKENS.polymarket));
  const runner = await startBatchRunner({
    ...{ runtime, desks, catalogue: venues[0]?.venue.catalogue ?? expect.unreachable() },
    quotes: { current: () => [], fresh: async () => [] },
    stream: { publish: () => {}, watched: () => false },
    partitions: onlyEngine().partitions,
    found: () => ({ placesFound: false }),
    soundness: () => ({ corruptSettings: [] }),
    settings: { current: () => ({ ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: false }) },
  });
  for (const id of bought) expect((await until(test, id, ended)).batch.status).toBe('completed');
  expect(venues.map(({ orders }) => [...orders.values()].map(({ request }) => request.tokenId).toSorted())).toEqual(
    VENUES.map((name) => TOKENS[name]),
  );
  for (const name of VENUES)
    expect(await limitUse(runtime.db, runtime.clock.now(), undefined, [name])).toEqual({
      ...{ placedToday: usdFromText('8'), openExposure: usdFromText('8') },
    });

  await disarm(runtime, [desks.at('kalshi').controls], BY);
  const [open, stopped] = [
    await recordedBatch(test, {}, TOKENS.polymarket),
    await recordedBatch(test, {}, TOKENS.kalshi),
  ];
  for (const id of [open, stopped]) runner.wake(id);
  expect((await until(test, open, ended)).batch.status).toBe('completed');
  expect((await until(test, stopped, ended)).batch.status).toBe('canceled');
  expect(venues.map(({ orders }) => orders.size)).toEqual([4, 2]);
  await runner.stop();
  for (const name of VENUES) {
    const { armed, limits } = (await openTradingControls(runtime, name)).current();
    expect([armed, limits]).toEqual([name === 'polymarket', NO_LIMITS]);
  }
});
