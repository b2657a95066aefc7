import { elapsedMs, instantToIso } from '@dutchbook/units/instant.ts';
import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue } from './limits/touched.ts';

/** Trading is armed on every venue of the plan; nothing is placed while it is not, by hand or automatically. */
export function armedGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, ({ account: { armed } }) =>
    armed ? null : { gate: 'armed', message: 'trading is disarmed', actual: null, required: null },
  );
}

/** A batch is followed, canceled and sold by the key that began it, so the key must last this long. */
const KEY_LASTS_MS = 3_600_000;
const KEY_ENDS_SOON_MS = 14 * 86_400_000;

/** Nothing is begun with a key that is about to end. */
export function keyEndsGate(context: GateContext): Blocker | null {
  return keyEndsWithin(context, KEY_LASTS_MS);
}

/** Placing by hand warns from two weeks before. */
export function keyEndsWarning(context: GateContext): Blocker | null {
  return keyEndsWithin(context, KEY_ENDS_SOON_MS);
}

function keyEndsWithin(context: GateContext, leastMs: number): Blocker | null {
  return refusedByVenue(context, ({ account: { keyEndsAt } }) => {
    if (keyEndsAt === undefined) return null;
    const leftMs = elapsedMs(context.now, keyEndsAt);
    if (leftMs >= leastMs) return null;
    const message =
      leftMs <= 0
        ? `the key of the account has ended at ${instantToIso(keyEndsAt)}: its owner has to renew the attestation of the region`
        : `the key of the account ends at ${instantToIso(keyEndsAt)}: its owner has to renew the attestation of the region`;
    return { gate: 'key-ends', message, actual: null, required: null };
  });
}
