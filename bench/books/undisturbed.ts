import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';

const NEVER_MS = 3_600_000;

/** Of a market stream that is measured: no comparisons with REST, and no timeouts of keep-alives that a busy machine answers late. */
export const UNDISTURBED = {
  ...POLYMARKET_DEFAULTS.stream,
  pongLateMs: NEVER_MS,
  pongTimeoutMs: NEVER_MS,
  silenceMs: NEVER_MS,
  compareEveryMs: NEVER_MS,
  provenSilentMs: NEVER_MS,
  provenBusyMs: NEVER_MS,
};
