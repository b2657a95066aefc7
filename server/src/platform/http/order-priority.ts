import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { countAttempts } from './attempts.ts';

/** Above this rate the caller is a program that repeats what is refused; its reads wait behind those of other orders. */
const REFUSED_PER_USER = { count: 30, windowMs: 60_000 };

/** The priority of an order's reads at the venue: before all others, or that of a page that only shows prices. */
export type OrderPriority = Exclude<ReadPriority, 'following'>;

/** Runs `decide` with the priority that the caller's reads have now. */
export type WithOrderPriority = <Decided>(decide: (priority: OrderPriority) => Promise<Decided>) => Promise<Decided>;

/**
 * Orders read the venue before everything else. A user of whom many orders were refused, or are being decided on, since the
 * last one that was recorded loses that priority until the next one is recorded.
 */
export type OrderPriorities = (userId: string) => WithOrderPriority;

export function openOrderPriorities({ clock, config }: Pick<Runtime, 'clock' | 'config'>): OrderPriorities {
  if (!config.rateLimit) return () => (decide) => decide('trading');
  const undecided = countAttempts(clock, REFUSED_PER_USER);
  return (userId) => async (decide) => {
    const priority = undecided.waitMs(userId) > 0 ? 'display' : 'trading';
    undecided.count(userId);
    const decided = await decide(priority);
    undecided.forget(userId);
    return decided;
  };
}
