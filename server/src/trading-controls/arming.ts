import { LIMITS } from '@dutchbook/contract/limits.ts';
import { type Actor, recordAction } from '../audit/record.ts';
import { cancelActiveBatches } from '../batches/intents.ts';
import { Conflict } from '../http/errors.ts';
import { type News, recordNotification } from '../notifications/record.ts';
import type { TradingControls } from '../parts.ts';
import type { World } from '../world/world.ts';
import { unsetLimits } from './limits-form.ts';
import { lockControls, type StoredControls, storeArmed } from './store.ts';

type Arming = Pick<World, 'config' | 'clock' | 'db' | 'dice' | 'notices'>;
type By = { actor: Actor; user: { id: string } };

/** Why trading cannot be armed on this venue with these limits; null when it can. */
export function armingRefusal({ config }: Pick<World, 'config'>, limits: StoredControls['limits']): string | null {
  if (config.venueMode === 'polymarket_read_only') return 'The venue is read only: it has no private key';
  const missing = config.venueMode === 'simulated' ? [] : unsetLimits(limits);
  if (missing.length === 0) return null;
  const names = missing.map((name) => `the ${LIMITS[name].charAt(0).toLowerCase()}${LIMITS[name].slice(1)}`);
  return `Set ${new Intl.ListFormat('en-GB').format(names)} first`;
}

/** Lets orders leave, in every process. @throws Conflict when this venue cannot be armed */
export async function arm(world: Arming, controls: TradingControls, by: By): Promise<void> {
  await world.db.transaction(async (tx) => {
    const standing = await lockControls(tx, world.config.venueMode);
    const refusal = armingRefusal(world, standing.limits);
    if (refusal !== null) throw new Conflict(refusal);
    // A process whose halt could not be stored goes on when it is stored anew that trading is armed.
    if (standing.armed && !controls.isHalted()) return;
    await storeArmed(tx, { ...world, mode: world.config.venueMode, userId: by.user.id }, true);
    await world.notices.tell(tx, 'trading_controls_changed');
    const change = { before: { armed: false }, after: { armed: true } };
    await recordAction(tx, world, by.actor, { action: 'trading.armed', object: world.config.venueMode, ...change });
  });
  await controls.refresh();
}

/**
 * Lets no order leave any more, in any process: from this one at once, and from the others because the end of every batch
 * that is being worked on is asked for in the same transaction, which they look at before they send.
 */
export async function disarm(world: Arming, controls: TradingControls, by: By): Promise<void> {
  controls.halt();
  await world.db.transaction(async (tx) => {
    const standing = await lockControls(tx, world.config.venueMode);
    if (!standing.armed) return;
    await storeArmed(tx, { ...world, mode: world.config.venueMode, userId: by.user.id }, false);
    await cancelActiveBatches(tx, world);
    await world.notices.tell(tx, 'trading_controls_changed');
    await recordNotification(tx, world, killSwitchNews(world.config.venueMode, by.actor.email));
    const change = { before: { armed: true }, after: { armed: false } };
    await recordAction(tx, world, by.actor, { action: 'trading.disarmed', object: world.config.venueMode, ...change });
  });
  await controls.refresh();
}

function killSwitchNews(venueMode: World['config']['venueMode'], by: string | null): News {
  return {
    type: 'kill_switch',
    opportunityId: null,
    message: `Trading was disarmed by ${by ?? 'the product'}: nothing is placed until a superuser arms it again`,
    data: { venue: venueMode, by },
  };
}
