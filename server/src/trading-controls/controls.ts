import { isDeepStrictEqual } from 'node:util';
import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { TradingControls } from '../parts.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import { openListeners } from '../runtime/listeners.ts';
import type { Runtime } from '../runtime.ts';
import { ensureControls, readControls, type StoredControls } from './store.ts';

const REFRESH_MS = 1000;

/**
 * Whether trading is armed and which limits hold, for the venue of this process: read again when any process says that
 * it changed them, and every second in case that was not heard. @throws when they cannot be read at first
 */
export async function openTradingControls({
  config,
  db,
  pubsub,
  timers,
  log,
}: Pick<Runtime, 'config' | 'db' | 'pubsub' | 'timers' | 'log'>): Promise<TradingControls & { stop: () => void }> {
  await ensureControls(db, config.venueMode);
  const { take, ...held } = holdControls(config.venueMode, await readControls(db, config.venueMode));
  const failures = openFailureLog(log, 'warn', 'trading controls not read');
  let reads = 0;
  let lastRead = 0;

  /**
   * While the database does not answer, the last known controls hold, on a real venue too: every order is committed
   * before it is sent, so nothing new can leave without the database, and `halt` works without it.
   */
  async function refresh(): Promise<void> {
    reads += 1;
    const read = reads;
    try {
      const found = await readControls(db, config.venueMode);
      failures.succeeded();
      // Reads overtake each other; what an earlier one saw is not news any more.
      if (read < lastRead) return;
      lastRead = read;
      take(found);
    } catch (error) {
      failures.failed(error);
    }
  }

  const stopListening = pubsub.subscribe('trading_controls_changed', refresh);
  const stopRefreshing = timers.every(REFRESH_MS, refresh);
  return {
    ...held,
    limitsRequired: config.venueMode !== 'simulated',
    refresh,
    stop: () => {
      stopListening();
      stopRefreshing();
    },
  };
}

type HeldControls = Pick<TradingControls, 'current' | 'halt' | 'isHalted' | 'onChange'> & {
  /** What was read from the database. */
  take: (found: StoredControls) => void;
};

/** What is in force of what was stored last. */
function holdControls(venueMode: VenueMode, atFirst: StoredControls): HeldControls {
  const listeners = openListeners();
  let stored = atFirst;
  /** This process was halted when trading had last been armed at `over`: only a later arming overrules that. */
  let halted: { over: Instant | undefined } | null = null;
  let current = inForce();

  /** Without a private key nothing can be signed, whatever was stored when there was one. */
  function inForce(): StoredControls {
    const armed = stored.armed && modeOf(venueMode).isReadOnly !== true && halted === null;
    return { ...stored, armed };
  }

  function settle(): void {
    const next = inForce();
    if (isDeepStrictEqual(next, current)) return;
    current = next;
    listeners.call();
  }

  return {
    current: () => current,
    take: (found) => {
      stored = found;
      if (!stored.armed || stored.armedChanged?.at !== halted?.over) halted = null;
      settle();
    },
    halt: () => {
      halted = { over: stored.armedChanged?.at };
      settle();
    },
    isHalted: () => halted !== null,
    onChange: listeners.add,
  };
}
