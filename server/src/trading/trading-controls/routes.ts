import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import * as contract from '@dutchbook/contract/limits.ts';
import type { SecuritySettingsForm } from '@dutchbook/contract/security-settings.ts';
import { orAsk } from '../../people/sign-offs/ask.ts';
import type { JsonObject } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { answerHeld } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { arm, disarm, HALTED } from './arming.ts';
import { changeLimits, readLimits } from './limits.ts';
import { type Feed, readSystemStatus } from './system-status.ts';
import type { TradingControls } from './trading-controls.ts';

type SignOffSettings = { current: () => Pick<SecuritySettingsForm, 'sign_off_for_arming' | 'sign_off_for_limits'> };

/** `armedUnder`: what orders leave by once trading is armed. */
type SignOffParts = { settings: SignOffSettings; armedUnder: () => JsonObject };

export function registerTradingControls(
  app: App,
  runtime: Runtime,
  controls: TradingControls,
  feed: () => Feed,
  { settings, armedUnder }: SignOffParts,
): void {
  const signOff = { isNeeded: () => settings.current().sign_off_for_arming, settings: armedUnder };
  route(app, armTrading, async (call) => {
    await orAsk(runtime, call, () => arm(runtime, controls, call, signOff));
    return readSystemStatus(runtime, controls, feed);
  });

  route(app, disarmTrading, async (call) => {
    const disarmed = await disarm(runtime, controls, call);
    if (disarmed.kind === 'held') return answerHeld(call.reply, HALTED, disarmed);
    return readSystemStatus({ ...runtime, db: runtime.dbFor.stops }, controls, feed);
  });

  route(app, contract.readLimits, () => readLimits(runtime, controls));

  route(app, contract.writeLimits, async (call) => {
    const change = () => changeLimits(runtime, controls, call, call.body, () => settings.current().sign_off_for_limits);
    await orAsk(runtime, call, change);
    return readLimits(runtime, controls);
  });
}
