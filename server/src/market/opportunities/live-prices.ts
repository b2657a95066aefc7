/** The interface of the price loop that the opportunity calls use. */
import type { Blocker } from '@dutchbook/contract/opportunities.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { OpportunityNow, StoredOpportunity } from './store.ts';

/** `asked`: a user asked for this check, and its failure counts as one. */
export type PriceCheck = { asked: boolean; mayTrigger: boolean };

export type LivePrices = {
  /** The stored rows with what is known of their prices at this moment. */
  rowsNow: (rows: readonly StoredOpportunity[]) => OpportunityNow[];
  /** Rows whose price, fees, profit or error count differs from the database. */
  moved: () => StoredOpportunity[];
  /** A user lists opportunities here: the engines elsewhere write prices within a second for a while. */
  noteListed: () => void;
  /**
   * Follows an opportunity because a user has opened it, active or not. Answers its quotes without I/O; they are not
   * complete while the venue has not answered for some of them.
   */
  open: (row: StoredOpportunity) => { quotes: LiveQuote[]; isComplete: boolean };
  /** Prices an opportunity with quotes that were fetched for it, as the loop does with its own; answers the new row. */
  revalue: (row: StoredOpportunity, quotes: readonly LiveQuote[], check: PriceCheck) => Promise<StoredOpportunity>;
  /** Writes now what would be written within a second: what users have asked for, and what they could notice. */
  flush: () => Promise<void>;
  /** Follows, as they were just stored, rows that were added or edited: what `readChanges` would read of them within two seconds. */
  adopt: (rows: readonly StoredOpportunity[]) => void;
  /** Reads at once what was added or edited, by whomever, instead of within two seconds. */
  readChanges: () => Promise<void>;
  forget: (opportunityId: string) => void;
  stop: () => Promise<void>;
};

/** Every gate that would refuse an order of this opportunity now. */
export type BlockersOf = (opportunity: StoredOpportunity, quotes: readonly LiveQuote[]) => Promise<Blocker[]>;
