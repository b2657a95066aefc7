import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { expect, it } from 'vitest';
import { DISCOVERY_DEFAULTS } from '../discovery/settings.ts';
import { onlyEngine } from '../engines/engines.ts';
import { addOpportunity, DEFAULT_SETTINGS, scriptedSettings } from '../prices/live-prices.fixture.ts';
import { scriptedMarkets } from '../prices/quotes/scripted-markets.fixture.ts';
import { startTrading } from '../start-trading.ts';
import { openTestRuntime } from '../test-runtime.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';

it('stand among what refuses an opportunity, for the product and for a person, while too many failed', async () => {
  await using test = await openTestRuntime({ ROLES: 'api' });
  const { runtime } = test;
  const { venue } = scriptedMarkets(runtime.clock);
  let failed = 10;
  const trading = await startTrading(
    runtime,
    venue,
    scriptedSettings(DEFAULT_SETTINGS),
    scriptedControls(),
    { publish: () => {}, watched: () => false },
    onlyEngine(),
    { current: () => DISCOVERY_DEFAULTS },
    { current: () => ({ failed, confirmed: 30, pauseAbove: fractionFromText('0.2') }) },
  );
  const opportunity = await addOpportunity(test, ['m1 Yes', 'm2 Yes'], {});
  const refusals = async () => (await trading.blockersOf(opportunity, [])).map(({ gate }) => gate);
  expect(await refusals()).toContain('settlement-failures');
  expect(trading.readiness()).toMatchObject({ settlements: { failed: 10 } });
  failed = 7;
  expect(await refusals()).not.toContain('settlement-failures');
  await trading.stop();
});
