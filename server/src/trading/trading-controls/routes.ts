import { armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import * as contract from '@dutchbook/contract/limits.ts';
import type { SecuritySettingsForm } from '@dutchbook/contract/security-settings.ts';
import { orAsk } from '../../people/sign-offs/ask.ts';
import type { JsonObject } from '../../platform/audit/record.ts';
import type { ReadFeed } from '../../platform/engines/engines.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { answerHeld } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { arm, armEach, disarm, HALTED } from './arming.ts';
import { chosenOf, oneOf } from './by-venue.ts';
import { changeLimits, DESK_LIMITS, limitsAt, readLimits } from './limits.ts';
import { readSystemStatus } from './system-status.ts';
import type { TradingControls } from './trading-controls.ts';

type SignOffSettings = { current: () => Pick<SecuritySettingsForm, 'sign_off_for_arming' | 'sign_off_for_limits'> };

/** `armedUnder`: what orders leave by once trading is armed. */
type SignOffParts = { settings: SignOffSettings; armedUnder: () => JsonObject };

export function registerTradingControls(
  app: App,
  runtime: Runtime,
  all: readonly TradingControls[],
  feed: ReadFeed,
  { settings, armedUnder }: SignOffParts,
): void {
  const signOff = { isNeeded: () => settings.current().sign_off_for_arming, settings: armedUnder };
  route(app, armTrading, async (call) => {
    const notArmed = await armEach(chosenOf(all, call.query.venue), (controls) =>
      orAsk(runtime, call, () => arm(runtime, controls, call, signOff)),
    );
    const status = await readSystemStatus(runtime, all, feed);
    return notArmed.length === 0 ? status : { ...status, not_armed: notArmed };
  });

  route(app, disarmTrading, async (call) => {
    const disarmed = await disarm(runtime, chosenOf(all, call.query.venue), call);
    if (disarmed.kind === 'held') return answerHeld(call.reply, HALTED, disarmed);
    return readSystemStatus({ ...runtime, db: runtime.dbFor.stops }, all, feed);
  });

  route(app, contract.readLimits, ({ query }) => readLimits(runtime, limitsAt(oneOf(all, query.venue))));

  const needsSignOff = () => settings.current().sign_off_for_limits;
  route(app, contract.writeLimits, async (call) => {
    const limits = limitsAt(oneOf(all, call.query.venue));
    await orAsk(runtime, call, () => changeLimits(runtime, limits, call, call.body, needsSignOff));
    return readLimits(runtime, limits);
  });

  route(app, contract.readDeskLimits, () => readLimits(runtime, DESK_LIMITS));

  route(app, contract.writeDeskLimits, async (call) => {
    await orAsk(runtime, call, () => changeLimits(runtime, DESK_LIMITS, call, call.body, needsSignOff));
    return readLimits(runtime, DESK_LIMITS);
  });
}
