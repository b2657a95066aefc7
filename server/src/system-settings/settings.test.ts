import { instantFromIso } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { systemSettings } from '../world/schema.ts';
import { openTestWorld, testDatabases } from '../world/test-world.ts';
import { openSystemSettings } from './settings.ts';

describe.each(testDatabases)('the system settings on %s', (kind) => {
  it('stand at their defaults, and follow a change within a second', async () => {
    await using test = await openTestWorld(kind);
    const settings = await openSystemSettings(test.world);
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: true, MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });
    const changed = { updatedAt: instantFromIso('2026-01-01T00:00:00Z'), updatedBy: null };
    await test.world.db.insert(systemSettings).values([
      { name: 'AUTO_PLACE_ORDER_ENABLED', value: false, ...changed },
      { name: 'MIN_PROFIT_TRIGGER_THRESHOLD', value: 1.5, ...changed },
    ]);
    await test.time.advance(1000);
    expect(settings.current()).toMatchObject({ AUTO_PLACE_ORDER_ENABLED: false, MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 });
    settings.stop();
  });
});
