/** Trading controls for tests that do not go through the database: armed and without limits, until a test says otherwise. */
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { TradingControls } from '../parts.ts';

export const NO_LIMITS: TradingLimits = { perOrder: null, perBatch: null, perDay: null, openExposure: null };

export type ScriptedControls = TradingControls & { armed: boolean; limits: TradingLimits };

export function scriptedControls(): ScriptedControls {
  const scripted: ScriptedControls = {
    armed: true,
    limits: NO_LIMITS,
    limitsRequired: false,
    current: () => ({ armed: scripted.armed, armedChanged: null, limits: scripted.limits, limitsChanged: null }),
    halt: () => {
      scripted.armed = false;
    },
    isHalted: () => false,
    refresh: async () => {},
    onChange: () => () => {},
  };
  return scripted;
}
