import * as contract from '@dutchbook/contract/security-settings.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { readFactor } from '../second-factor/store.ts';
import { orAsk } from '../sign-offs/ask.ts';
import { presentVenueSettings } from '../system-settings/venue-settings.ts';
import { changeSecuritySettings, type WatchedSecuritySettings } from './settings.ts';

export function registerSecuritySettings(app: App, runtime: Runtime, settings: WatchedSecuritySettings): void {
  route(app, contract.readSecuritySettings, () => presentVenueSettings(settings));

  route(app, contract.writeSecuritySettings, async (call) => {
    // Without a factor of their own they could not revoke the rule.
    if (call.body.second_factor_for_all === true && (await readFactor(runtime.db, call.user.id)) === null)
      throw new Conflict('Set up a second factor under Settings before you ask all users for one.');
    await orAsk(runtime, call, () => changeSecuritySettings(runtime, settings, call, call.body));
    return presentVenueSettings(settings);
  });
}
