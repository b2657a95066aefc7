import { isDeepStrictEqual } from 'node:util';
import { modeOf } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import { keepRefreshed } from '../../platform/runtime/refreshed.ts';
import type { Clock, Runtime } from '../../platform/runtime/runtime.ts';
import { ensureControls, readControls, type StoredControls } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

/**
 * Whether trading is armed and which limits hold at a venue. `keyTrades`: the venue takes orders by the key that it was opened with.
 *
 * @throws when they cannot be read at first
 */
export async function openTradingControls(
  { config, clock, db, pubsub, timers, log }: Pick<Runtime, 'config' | 'clock' | 'db' | 'pubsub' | 'timers' | 'log'>,
  venue: VenueName,
  label: TradingControls['label'] = null,
  keyTrades = true,
): Promise<TradingControls & { stop: () => void }> {
  await ensureControls(db, config.venueMode, venue);
  const isReadOnly = !keyTrades || config.venues.get(venue)?.isReadOnly === true;
  const { take, ...held } = holdControls(clock, isReadOnly, await readControls(db, config.venueMode, venue));
  // Without the database the last known controls hold, on a real venue too: every order is committed before it is sent, so
  // nothing new can leave, and `halt` works without it.
  const { refresh, stop } = keepRefreshed(
    { pubsub, timers, log },
    {
      channels: ['trading_controls_changed'],
      read: () => readControls(db, config.venueMode, venue),
      take,
      failure: 'trading controls not read',
    },
  );
  return { ...held, venue, label, isReadOnly, limitsRequired: !modeOf(config.venueMode).onExchange, refresh, stop };
}

type HeldControls = Pick<TradingControls, 'current' | 'halt' | 'isHalted' | 'onChange'> & {
  /** Takes the controls read from the database. */
  take: (found: StoredControls) => void;
};

/** Holds the controls in force. */
function holdControls(clock: Clock, isReadOnly: boolean, atFirst: StoredControls): HeldControls {
  const listeners = openListeners();
  let stored = atFirst;
  /** When this process was halted: only a later arming overrules that. */
  let halted: Instant | null = null;
  let current = inForce();

  /** Without a key that trades nothing can leave, whatever was stored when there was one. */
  function inForce(): StoredControls {
    const armed = stored.armed && !isReadOnly && halted === null;
    return { ...stored, armed };
  }

  function apply(): void {
    const next = inForce();
    if (isDeepStrictEqual(next, current)) return;
    current = next;
    listeners.call();
  }

  return {
    current: () => current,
    take: (found) => {
      stored = found;
      if (halted !== null && (!stored.armed || (stored.armedChanged?.at ?? 0) > halted)) halted = null;
      apply();
    },
    halt: (askedAt = clock.now()) => {
      halted = askedAt;
      apply();
    },
    isHalted: () => halted !== null,
    onChange: listeners.add,
  };
}
