import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import * as contract from '@dutchbook/contract/limits.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { TradingControls } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import { arm, disarm } from './arming.ts';
import { changeLimits, readLimits } from './limits.ts';
import { type Feed, readSystemStatus } from './system-status.ts';

export function registerTradingControls(app: App, runtime: Runtime, controls: TradingControls, feed: () => Feed): void {
  route(app, armTrading, async (call) => {
    await arm(runtime, controls, call);
    return readSystemStatus(runtime, controls, feed);
  });

  route(app, disarmTrading, async (call) => {
    await disarm(runtime, controls, call);
    return readSystemStatus(runtime, controls, feed);
  });

  route(app, contract.readLimits, () => readLimits(runtime, controls));

  route(app, contract.writeLimits, async (call) => {
    await changeLimits(runtime, controls, call, call.body);
    return readLimits(runtime, controls);
  });
}
