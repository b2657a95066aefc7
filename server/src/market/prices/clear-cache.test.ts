import { describe, expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { startTrading } from '../../start-trading.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { oneDesk } from '../../trading/venue-desk/desks.fixture.ts';
import { DISCOVERY_DEFAULTS } from '../discovery/settings.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from './live-prices.fixture.ts';
import { scriptedMarkets } from './quotes/scripted-markets.fixture.ts';

describe('a cache that is cleared by any process', () => {
  it('is forgotten by this one', async () => {
    await using test = await openTestRuntime({ ROLES: 'api' });
    const { runtime } = test;
    const { venue, calls } = scriptedMarkets(runtime.clock);
    const settings = scriptedSettings(DEFAULT_SETTINGS);
    const stream = { publish: () => {}, watched: () => false };
    const discovery = { current: () => DISCOVERY_DEFAULTS };
    const settlements = { current: () => null };
    const trading = await startTrading({
      runtime,
      venue,
      settings,
      desks: oneDesk(),
      stream,
      engines: onlyEngine(),
      discovery,
      settlements,
    });
    await runtime.db.transaction((tx) => runtime.pubsub.publish(tx, 'cache_cleared'));
    await expect.poll(() => calls).toContain('forget');
    await trading.stop();
  });
});
