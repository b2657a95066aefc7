import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { describe, expect, it, vi } from 'vitest';
import { discoverySettings } from '../market/discovery/table.ts';
import { changeSettings } from '../people/system-settings/store.ts';
import { DatabaseDown } from '../platform/database/database-down.ts';
import type { StreamHub } from '../platform/stream/stream-hub.ts';
import { openTestRuntime } from '../test-runtime.ts';
import { arm, disarm } from '../trading/trading-controls/arming.ts';
import { scriptedControls } from '../trading/trading-controls/controls.fixture.ts';
import { openTradingControls } from '../trading/trading-controls/controls.ts';
import { readSystemStatus } from '../trading/trading-controls/system-status.ts';
import { openKnownCounts } from './known-counts.ts';
import { publishSystemStatus } from './publish-status.ts';

const BY = {
  actor: { id: null, email: null, address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};

describe('what is published to tabs of the system', () => {
  it('is published when trading is armed or disarmed, without waiting for the next check', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const controls = await openTradingControls(runtime, 'polymarket');
    const reported: boolean[] = [];
    const publish: StreamHub['publish'] = ({ data }) => void reported.push((data as SystemStatus).armed);
    const stop = publishSystemStatus(
      runtime,
      [controls],
      { publish, watched: () => true },
      { feed: () => 'live', known: openKnownCounts(runtime) },
    );
    await disarm(runtime, [controls], BY);
    await expect.poll(() => reported.at(-1)).toBe(false);
    await arm(runtime, controls, BY);
    await expect.poll(() => reported.at(-1)).toBe(true);
    stop();
  });

  it('says that the database is away, with what was known last, and that it is back', async () => {
    await using test = await openTestRuntime();
    const { time } = test;
    let silentMs: number | null = null;
    const databaseWatch = { ...test.runtime.databaseWatch, silentMs: () => silentMs };
    const runtime = { ...test.runtime, databaseWatch };
    const controls = scriptedControls();
    const reported: SystemStatus[] = [];
    const publish: StreamHub['publish'] = ({ data }) => void reported.push(data as SystemStatus);
    const count = vi.spyOn(runtime.db, '$count').mockResolvedValue(2);
    const around = { feed: () => 'live' as const, known: openKnownCounts(runtime) };
    const stop = publishSystemStatus(runtime, [controls], { publish, watched: () => true }, around);
    await time.advance(1000);
    count.mockRejectedValueOnce(new DatabaseDown('one late answer is none'));
    await time.advance(2000);
    expect(reported).toHaveLength(1);
    silentMs = 3400;
    await time.advance(1000);
    controls.armed = false;
    silentMs = 4400;
    await time.advance(1000);
    silentMs = null;
    count.mockResolvedValue(0);
    await time.advance(1000);
    const said = reported.map(({ database_away, database_silent_s, armed, unknown_orders }) => [
      ...[database_away, database_silent_s, armed, unknown_orders],
    ]);
    expect(said).toEqual([
      [undefined, undefined, true, 2],
      [true, 3, true, 2],
      [true, 4, false, 2],
      [undefined, undefined, false, 0],
    ]);
    stop();
  });

  it('says what is placed automatically: all, what was added but not what was found, or nothing', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    const runtime = { ...test.runtime, config: { ...test.runtime.config, venueMode: 'simulated' as const } };
    const automatic = async () => (await readSystemStatus(runtime, [scriptedControls()], () => 'live')).automatic;
    expect(await automatic()).toBe('all');
    await db.insert(discoverySettings).values({
      ...{ venue: 'simulated', form: { auto_place_found: false }, changedAt: clock.now(), changedBy: null },
    });
    expect(await automatic()).toBe('brought');
    const by = { at: clock.now(), userId: BY.user.id };
    await changeSettings(db, { AUTO_PLACE_ORDER_ENABLED: false }, by);
    expect(await automatic()).toBe('off');
  });
});
