import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import * as contract from '@dutchbook/contract/limits.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { TradingControls } from '../parts.ts';
import { type Feed, readSystemStatus } from '../status/system-status.ts';
import type { World } from '../world/world.ts';
import { arm, disarm } from './arming.ts';
import { changeLimits, readLimits } from './limits.ts';

export function registerTradingControls(app: App, world: World, controls: TradingControls, feed: () => Feed): void {
  route(app, armTrading, async (call) => {
    await arm(world, controls, call);
    return readSystemStatus(world, controls, feed);
  });

  route(app, disarmTrading, async (call) => {
    await disarm(world, controls, call);
    return readSystemStatus(world, controls, feed);
  });

  route(app, contract.readLimits, () => readLimits(world, controls));

  route(app, contract.writeLimits, async (call) => {
    await changeLimits(world, controls, call, call.body);
    return readLimits(world, controls);
  });
}
