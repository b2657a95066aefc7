import { revokingStop } from './people/api-tokens/revoking-stop.ts';
import { endingStop } from './people/login/ending-stops.ts';
import type { Runtime } from './platform/runtime/runtime.ts';
import type { KeptStop, Stop } from './platform/runtime/stops.ts';
import { keptCancelation } from './trading/batches/action-routes.ts';
import { keptDisarming } from './trading/trading-controls/arming.ts';
import type { TradingControls } from './trading/trading-controls/trading-controls.ts';

/** Has what an earlier process was asked to stop hold here, and stores it. Called before anything trades and any call is answered. */
export async function takeUpKeptStops(runtime: Runtime, controls: readonly TradingControls[]): Promise<void> {
  await runtime.stops.takeUp((kept) => restored(runtime, controls, kept));
}

function restored(runtime: Runtime, controls: readonly TradingControls[], kept: KeptStop): Stop<unknown> {
  switch (kept.action) {
    case 'trading.disarmed':
      return keptDisarming(runtime, controls, kept);
    case 'batch.canceled':
      return keptCancelation(runtime, kept);
    case 'session.ended':
      return endingStop(runtime, kept);
    case 'token.revoked':
      return revokingStop(runtime, kept);
  }
}
