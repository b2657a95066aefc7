import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { countAttempts } from './attempts.ts';

/** A person looks at why an order was refused before giving the next; a program that does not may wait for its turn. */
const REFUSED_PER_USER = { count: 30, windowMs: 60_000 };

/** How the venue is read for an order: before all others, or as for who only looks. */
export type OrderPriority = Exclude<ReadPriority, 'following'>;

/** Decides on an order by what it reads of the venue with the priority that is the caller's now. */
export type OrderTurn = <Decided>(decide: (priority: OrderPriority) => Promise<Decided>) => Promise<Decided>;

/**
 * Orders read the venue before everything else, and nobody refuses to take them: but those of a user of whom many were
 * refused, or are being decided on, since one was recorded read it behind the orders of others.
 */
export type OrderTurns = (userId: string) => OrderTurn;

export function openOrderTurns({ clock, config }: Pick<Runtime, 'clock' | 'config'>): OrderTurns {
  if (!config.rateLimit) return () => (decide) => decide('trading');
  const undecided = countAttempts(clock, REFUSED_PER_USER);
  return (userId) => async (decide) => {
    const priority = undecided.waitMs(userId) > 0 ? 'asked' : 'trading';
    undecided.count(userId);
    const decided = await decide(priority);
    undecided.forget(userId);
    return decided;
  };
}
