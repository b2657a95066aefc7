import { describe, expect, it, vi } from 'vitest';
import { onlyEngine } from '../engines/engines.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { openTestWorld, testDatabases } from '../world/test-world.ts';
import { DEFAULT_SETTINGS, scriptedSettings } from './prices/live-prices.fixture.ts';
import { scriptedMarkets } from './quotes/scripted-markets.fixture.ts';
import { startTrading } from './start-trading.ts';

describe.each(testDatabases)('a cache that is cleared by any process, on %s', (kind) => {
  it('is forgotten by this one', async () => {
    await using test = await openTestWorld(kind, { ROLES: 'api' });
    const { world } = test;
    const { venue, calls } = scriptedMarkets(world.clock);
    const settings = scriptedSettings(DEFAULT_SETTINGS);
    const stream = { publish: () => {}, watched: () => false };
    const trading = await startTrading(world, venue, settings, scriptedControls(), stream, onlyEngine());
    await world.db.transaction((tx) => world.notices.tell(tx, 'cache_cleared'));
    await vi.waitFor(() => expect(calls).toContain('forget'), 10_000);
    await trading.stop();
  });
});
