import { modeOf } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Guard } from '../../platform/http/app.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { readFactor } from './store.ts';

/** For so long what was proven in a session holds there. */
const PROVEN_MS = 5 * 60_000;

type Required = { current: () => { second_factor_for_all: boolean } };

/** What holds for the calls that ask for the second factor again, and for all users where a setting asks for one. */
export function openGuard({ config, clock, db }: Pick<Runtime, 'config' | 'clock' | 'db'>, settings: Required): Guard {
  const { isReadOnly = false, onExchange = false } = modeOf(config.venueMode);
  const isRealMoney = !isReadOnly && !onExchange;
  const judge: Guard['judge'] = async (endpoint, { user, session }) => {
    const isForAll = settings.current().second_factor_for_all && changesOthersThings(endpoint);
    if (endpoint.proven === undefined && !isForAll) return;
    const factor = await readFactor(db, user.id);
    if (factor === null && endpoint.proven === 'required' && isRealMoney)
      throw new Conflict('Set up a second factor under Settings before you arm a real venue.');
    if (factor === null && isForAll)
      throw new Conflict('Set up a second factor under Settings before you change anything.');
    if (factor === null || endpoint.proven === undefined || isFresh(session.provenAt ?? null, clock.now())) return;
    throw new Conflict('Prove your second factor once more.', {
      second_factor_needed: true,
      second_factor: factor.keys.length > 0 ? ['code', 'passkey'] : ['code'],
    });
  };
  const isMissing: Guard['isMissing'] = async ({ id }) =>
    settings.current().second_factor_for_all && (await readFactor(db, id)) === null;
  return { judge, isMissing };
}

function isFresh(provenAt: Instant | null, now: Instant): boolean {
  return provenAt !== null && now - provenAt < PROVEN_MS;
}

function changesOthersThings({ method, stops, ownAccount }: Parameters<Guard['judge']>[0]): boolean {
  return method !== 'GET' && stops !== true && ownAccount !== true;
}
