/** The steps of buying, canceling, retrying and selling a batch. */
export const TRADING_POINTS = [
  'batch_recorded',
  'lease_taken',
  'orders_signed',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
  'outcomes_recorded',
  'fills_read',
  'fills_recorded',
  'cancels_answered',
  'retry_judged',
  'sale_recorded',
  'sales_finished',
  'batch_ended',
] as const;

/** The steps of converting shares into dollars on chain. */
export const CHAIN_POINTS = [
  'chain_recorded',
  'chain_prepared',
  'chain_stored',
  'chain_marked',
  'chain_submitted',
  'chain_answered',
  'chain_ended',
  'chain_booked',
] as const;

const MESSAGE_POINTS = ['message_claimed', 'message_answered'] as const;

/** Between two clips of a series. */
const CLIP_POINTS = ['clip_due'] as const;

/** The dollars of a batch that waits for the pace of its venue become free for others, and are taken again. */
const RELEASE_POINTS = ['dollars_released', 'release_judged'] as const;

/** The steps of moving cash between pockets. */
export const MOVE_POINTS = ['move_marked', 'move_answered', 'move_ended'] as const;

/** The steps of starting over on paper. */
export const START_OVER_POINTS = ['run_ended', 'run_marked', 'run_booked', 'run_begun'] as const;

const CRASH_POINTS = [
  ...TRADING_POINTS,
  ...CLIP_POINTS,
  ...RELEASE_POINTS,
  ...CHAIN_POINTS,
  ...MOVE_POINTS,
  ...START_OVER_POINTS,
  ...MESSAGE_POINTS,
] as const;

export type TradingPoint = (typeof TRADING_POINTS)[number];

/**
 * The steps of placing, of the chain, and of sending a message, at which the process may die and nothing may be lost or done twice.
 * Tests end the process there by name; otherwise passing one does nothing.
 */
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Die at the `passing`-th passing of `point`, counted from 1. */
export type CrashAt = { point: CrashPoint; passing: number };

/** From `point` or `point:passing`; null when it is neither. */
export function parseCrashAt(text: string): CrashAt | null {
  const [name, passing, ...rest] = text.split(':');
  const point = CRASH_POINTS.find((known) => known === name);
  if (point === undefined || rest.length > 0 || !/^[1-9]\d{0,5}$/.test(passing ?? '1')) return null;
  return { point, passing: Number(passing ?? '1') };
}

/** What the steps call as they pass. `die` must not return. */
export function crashPoints(crashAt: CrashAt | null, die: () => void): (point: CrashPoint) => void {
  let passings = 0;
  return (point) => {
    if (point !== crashAt?.point) return;
    passings += 1;
    if (passings === crashAt.passing) die();
  };
}
