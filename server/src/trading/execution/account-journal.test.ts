import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { openDecisionJournal } from '../../market/decision-journal/note.ts';
import { orderInstants } from '../../market/decision-journal/ordered-instants.ts';
import { journalAt, journalBetween } from '../../market/decision-journal/read.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from '../../market/prices/live-prices.fixture.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { changeLimits, DESK_LIMITS } from '../trading-controls/limits.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { noteAccount } from './account-journal.ts';

const MINUTE_MS = 60_000;
const BY = {
  actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};

it('tells of settings at once, and of the account within a second, and of limits of the whole desk, but not of what its clock is off', async () => {
  await using test = await openTestRuntime();
  const { runtime, time } = test;
  const journal = openDecisionJournal(runtime, onlyEngine().partitions);
  const settings = scriptedSettings(DEFAULT_SETTINGS);
  const controls = scriptedControls();
  let cash = '1000';
  let clockSkewMs = 0;
  const reading = () => ({ cash: usdFromText(cash), allowances: new Map([['exchange', 7]]), at: runtime.clock.now() });
  const parts = {
    ...{ runtime, quotes: {} as never, catalogue: {} as never, settings },
    desks: oneDesk({
      controls,
      account: { reading, refresh: async () => reading(), stop: () => {} },
      soundness: () => {
        clockSkewMs += 1;
        return { clockSkewMs };
      },
    }),
    readiness: () => ({ reconciled: true, placesFound: false, corruptSettings: [] }),
    instants: orderInstants(runtime.clock),
  };
  const stop = noteAccount(parts, settings, journal);
  const standing = async () => await journalAt(runtime.db, 'simulated', time.clock.now());
  const account = async () => {
    const noted = (await standing()).account.get('');
    return { ...noted?.accounts.get('polymarket'), ownOrders: noted?.ownOrders };
  };
  await time.advance(3000);
  expect(await account()).toMatchObject({
    ...{ balance: usdFromText('1000'), allowances: new Map([['exchange', 7]]) },
    ...{ armed: true, placedToday: 0, openExposure: 0, ownOrders: [] },
  });
  expect((await standing()).settings.get('')).toEqual(DEFAULT_SETTINGS);

  controls.armed = false;
  await time.advance(2000);
  expect(await account()).toMatchObject({ armed: false });
  cash = '900';
  await time.advance(2000);
  expect(await account()).toMatchObject({ balance: usdFromText('900') });
  await changeLimits(runtime, DESK_LIMITS, BY, { per_day_usd: usdFromText('50') });
  const deskLimits = async () => {
    await time.advance(100);
    return (await standing()).account.get('')?.deskLimits;
  };
  await expect.poll(deskLimits).toEqual({ ...NO_LIMITS, perDay: usdFromText('50') });
  settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 2 });
  await time.advance(1000);
  expect((await standing()).settings.get('')).toMatchObject({ MIN_PROFIT_TRIGGER_THRESHOLD: 2 });

  const began = time.clock.now();
  for (let minute = 0; minute < 3; minute += 1) await time.advance(MINUTE_MS);
  stop();
  await journal.stop();
  const reported: number[] = [];
  for await (const { at } of journalBetween(runtime.db, 'simulated', began, time.clock.now(), { account: null })) {
    reported.push(at);
  }
  expect(reported).toHaveLength(3);
  const apart = reported.slice(1).map((at, index) => at - (reported[index] ?? 0));
  expect(apart).toEqual([MINUTE_MS, MINUTE_MS]);
});
