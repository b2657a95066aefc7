/** A placing request: the ways of placing (by hand, trigger, retry, split) differ only in its data. */
import type { WayIn } from '@dutchbook/contract/placing.ts';
import type { Readiness } from '@dutchbook/engine/desk/assess.ts';
import type { MeasuredSurvival } from '@dutchbook/engine/order/survival.ts';
import type { SplitPlan } from '@dutchbook/engine/split/plan-split.ts';
import type { SplitWay } from '@dutchbook/engine/split/way-in.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import type { NewNotification } from '../../../people/notifications/record.ts';
import type { SystemSettings } from '../../../people/system-settings/watched-settings.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { BatchRows, Intent } from '../../orders/record-batch.ts';
import type { Desks } from '../../venue-desk/desks.ts';
import type { FastPath } from '../fast-path/start-batch.ts';
import type { SignedOff } from '../signed-off-batches.ts';

export type PlaceParts = {
  runtime: Runtime;
  quotes: Quotes;
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  settings: SystemSettings;
  desks: Desks;
  readiness: () => Readiness;
  /** Measured survival of displayed depth; left out where nothing was measured. */
  survival?: () => MeasuredSurvival;
};

/** `wake`: has the batch runner take up a batch that was recorded and not started. */
export type Carriers = { fastPath: FastPath | null; wake: (batchId: string) => void };

/** A batch as its transaction writes it, with the functions of the database that are called with it. */
export type PlacedRows = BatchRows & {
  writes: readonly SQLWrapper[];
  calls: readonly SQL[];
  notification: NewNotification;
};

/** The rows of a batch that dollars are split into, and of the submission that splits them. */
export type SplitRows = (
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub'>,
  intent: Intent,
  split: { way: SplitWay; plan: SplitPlan },
) => PlacedRows;

export type PlacingRequest = {
  opportunity: StoredOpportunity;
  /** Quotes of its positions; the trust in streamed ones is looked up again. */
  quotes: readonly LiveQuote[];
  /** Null: the smallest that satisfies every minimum. */
  size: Shares | null;
  quotedPrice: Price | null;
  /** Null for the product itself, by its trigger. */
  askedBy: Asker | null;
  /** The series that it is the next clip of; left out of everything else. */
  clip?: Clip;
  /** Split and sell in place of buying; `way` is null where that is not possible. */
  split: { way: SplitWay | null; rows: SplitRows } | null;
  /** The instant of the decision, which a trigger has ordered among changes of the books. */
  decidedAt: () => Instant;
};

/**
 * `placedBefore`: batches of the opportunity when that was decided. `clips`, `spent`: how many come before it, and their dollars with fees.
 * `lastPlacedAt`: when the last of them was placed.
 */
export type Clip = {
  seriesId: string;
  simulated: boolean;
  placedBefore: number;
  clips: number;
  spent: Usd;
  lastPlacedAt: Instant;
};

/** `placedBefore`: batches of the opportunity before its prices were read. `signedOff`: what a second person has agreed to. */
export type Asker = { userId: string; placedBefore: number; wayIn: WayIn | undefined; signedOff: SignedOff | null };
