import { z } from 'zod';
import type { TradingMode } from '../../matching-engine/trading-mode.ts';
import { type Answer, refused } from './answers.ts';

const DISABLED = refused(503, 'Trading is currently disabled. Check polymarket.com for updates');
const CANCEL_ONLY = refused(
  503,
  'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
);

const postOnlyEntry = z.object({ postOnly: z.literal(true) });

/** Refuses cancels while trading is disabled; undefined when they are taken. */
export function cancelRefusal({ mode }: TradingMode): Answer | undefined {
  return mode === 'disabled' ? DISABLED : undefined;
}

/** Refuses a call that places orders as a whole when the engine would not take one of them now. */
export function placingRefusal(engine: TradingMode, entries: readonly unknown[]): Answer | undefined {
  if (engine.mode === 'disabled') return DISABLED;
  if (engine.mode === 'cancel_only') return CANCEL_ONLY;
  if (engine.mode === 'normal') return undefined;
  const isPostOnly = entries.every((entry) => postOnlyEntry.safeParse(entry).success);
  return isPostOnly ? undefined : postOnlyMode(Math.ceil(engine.postOnlyLeftMs() / 1000));
}

function postOnlyMode(seconds: number): Answer {
  const error = 'post-only mode: only post-only orders and cancels are allowed';
  return {
    status: 503,
    body: { error, code: 'post_only_mode', retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  };
}
