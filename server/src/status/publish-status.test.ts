import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { describe, expect, it, vi } from 'vitest';
import type { StreamHub } from '../parts.ts';
import { arm, disarm } from '../trading-controls/arming.ts';
import { openTradingControls } from '../trading-controls/controls.ts';
import { openTestWorld } from '../world/test-world.ts';
import { publishSystemStatus } from './publish-status.ts';

const BY = {
  actor: { id: null, email: null, address: '127.0.0.1' },
  user: { id: '00000000-0000-4000-8000-000000000001' },
};

describe('what the tabs are told of the system', () => {
  it('is told when trading is armed or disarmed, without waiting for the next look', async () => {
    await using test = await openTestWorld('pglite');
    const { world } = test;
    const controls = await openTradingControls(world);
    const told: boolean[] = [];
    const publish: StreamHub['publish'] = ({ data }) => void told.push((data as SystemStatus).armed);
    const stop = publishSystemStatus(world, controls, { publish, watched: () => true }, () => 'live');
    await disarm(world, controls, BY);
    await vi.waitFor(() => expect(told.at(-1)).toBe(false), 20_000);
    await arm(world, controls, BY);
    await vi.waitFor(() => expect(told.at(-1)).toBe(true), 20_000);
    stop();
  });
});
