import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { expect, it } from 'vitest';
import { DISCOVERY_DEFAULTS } from '../../market/discovery/settings.ts';
import { addOpportunity, DEFAULT_SETTINGS, scriptedSettings } from '../../market/prices/live-prices.fixture.ts';
import { scriptedMarkets } from '../../market/prices/quotes/scripted-markets.fixture.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { startTrading } from '../../start-trading.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';

it('stand among what refuses an opportunity, for the product and for a person, while too many failed', async () => {
  await using test = await openTestRuntime({ ROLES: 'api' });
  const { runtime } = test;
  const { venue } = scriptedMarkets(runtime.clock);
  let failed = 10;
  const trading = await startTrading({
    runtime,
    venue,
    settings: scriptedSettings(DEFAULT_SETTINGS),
    desks: oneDesk(),
    stream: { publish: () => {}, watched: () => false },
    engines: onlyEngine(),
    discovery: { current: () => DISCOVERY_DEFAULTS },
    settlements: { current: () => ({ failed, confirmed: 30, pauseAbove: fractionFromText('0.2') }) },
  });
  const opportunity = await addOpportunity(test, ['m1 Yes', 'm2 Yes'], {});
  const refusals = async () => (await trading.blockersOf(opportunity, [])).map(({ gate }) => gate);
  expect(await refusals()).toContain('settlement-failures');
  expect(trading.readiness()).toMatchObject({ settlements: { failed: 10 } });
  const stops = (await trading.blockersOf({ ...opportunity, relationId: opportunity.id }, [])).map(
    ({ gate, automatic_only }) => [gate, automatic_only],
  );
  expect(stops).toContainEqual(['settlement-failures', false]);
  expect(stops, 'a person may place what was found').toContainEqual(['found-switch', true]);
  failed = 7;
  expect(await refusals()).not.toContain('settlement-failures');
  await trading.stop();
});
