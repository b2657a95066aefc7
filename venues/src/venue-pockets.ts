/** Accounts whose cash lies in several parts, of which a market is paid from its own alone. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/**
 * A part of an account that cash lies in, as `Market.pocket` names it. `trades`: whether orders of its markets are taken now.
 * `takesMoves`: whether cash may be moved into or out of it now. `targetPercent`: which part of the cash the venue itself keeps there; null
 * where it keeps none there, or does not say.
 */
export type Pocket = {
  name: string;
  description: string;
  trades: boolean;
  takesMoves: boolean;
  targetPercent: number | null;
};

export type CashMove = { from: string; to: string; amount: Usd };

/** `taken`: the venue is about to move it, which the balances of both prove. `rejected`: nothing has moved, and nothing will. */
export type CashMoveOutcome = { kind: 'taken' } | { kind: 'rejected' | 'unknown'; reason: string };

export type Pockets = {
  /** Throws VenueUnavailable. */
  list(): Promise<Pocket[]>;
  /**
   * Whether what the venue says of the account's cash has passed `at`, by this machine's clock: its reads are behind what it does.
   * Throws VenueUnavailable.
   */
  hasPassed(at: Instant): Promise<boolean>;
  /** Each call moves cash, also one that repeats another. Left out where no key may do so. Never throws. */
  move?(move: CashMove): Promise<CashMoveOutcome>;
};
