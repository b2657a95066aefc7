/** An opportunity that the desk follows, and how it stands to its trigger. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { ResolutionStatus } from '../market/market.ts';
import type { Position } from '../opportunity/position.ts';
import type { GateQuote } from '../risk/context.ts';

/**
 * As much of an opportunity as the desk reads and writes. `triggered`: its last rise is recorded, and the profit has not fallen since.
 * `rises`: how many are recorded. `refusal`: why nothing was bought on the last one.
 */
export type OpportunityRow = {
  id: string;
  active: boolean;
  targetPrice: Price;
  currentPrice: Price | null;
  feesPerSet: Usd | null;
  profitPercentage: Percent | null;
  /** Yearly return of that profit, by when its cash is back; null where that is not known. */
  annualisedReturn: Percent | null;
  /**
   * What buying its largest profitable size would leave now, after fees; what one set would lose where no size pays. Null
   * while it is not active or has no price.
   */
  profitUsd: Usd | null;
  /** The largest profitable size; null where `profitUsd` is, zero where none pays. */
  maxProfitableSize: Shares | null;
  /** When its cash is back; passed where a merge or a conversion brings it at once, null where it is not known. */
  paysAt: Instant | null;
  /** The subject of its markets, for its title; null until all of them were read. */
  about: string | null;
  triggered: boolean;
  rises: number;
  refusal: string | null;
  lastChecked: Instant | null;
  lastError: string | null;
  errorCount: number;
  augmentedEvent: boolean;
  resolution: ResolutionStatus | null;
};

/**
 * The profit has come up to the trigger: the row and the quotes that it was seen by last. `seenAt`: when that was; a process that orders
 * its decisions more finely than the clock does says so in its place.
 */
export type Rise<Row extends OpportunityRow = OpportunityRow> = {
  row: Row;
  quotes: readonly GateQuote[];
  seenAt: Instant;
};

export type Tracked<Row extends OpportunityRow = OpportunityRow> = {
  /** As it stands now. */
  row: Row;
  /** Never replaced while the opportunity is tracked: the feed knows positions by identity. */
  readonly positions: readonly Position[];
  /** The number of the last change of markets or settings that it was valued by. */
  valuedBy: number;
  /** Whether the profit stood at the trigger or above when it was last seen, recorded or not. */
  aboveTrigger: boolean;
  /** Whether it stands there now; null where it has no price. */
  profitAboveTrigger: boolean | null;
  /** Seen and not recorded yet, in their order: recording takes longer than a fall may last. */
  rises: Rise<Row>[];
  /** When the profit last went below the trigger; null once that is recorded. */
  belowTriggerSince: Instant | null;
  /** The first of its rises was proposed and is not recorded yet. */
  isTriggering: boolean;
  /** After a trigger that could not be recorded: not before this moment again. */
  retryTriggerAt: Instant | null;
  /** When a failure to price it last counted as a failed check. */
  failureCountedAt: Instant | null;
};

export function trackedOf<Row extends OpportunityRow>(row: Row, positions: readonly Position[]): Tracked<Row> {
  return {
    row,
    positions,
    valuedBy: 0,
    aboveTrigger: row.triggered,
    profitAboveTrigger: null,
    rises: [],
    belowTriggerSince: null,
    isTriggering: false,
    retryTriggerAt: null,
    failureCountedAt: null,
  };
}

/** Drops unrecorded observations: the stored row of another process, or of a person, is the truth. */
export function resetTo<Row extends OpportunityRow>(tracked: Tracked<Row>, row: Row): void {
  tracked.row = row;
  tracked.aboveTrigger = row.triggered;
  tracked.rises = [];
  tracked.belowTriggerSince = null;
}
