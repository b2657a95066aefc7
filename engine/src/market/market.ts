import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { EventId, MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/**
 * One side of a market; `tokenId` names its order book at the venue. `resolvedValue`: what a share of it pays, of a market that
 * has resolved.
 */
export type MarketOutcome = { outcome: string; tokenId: TokenId; resolvedValue?: Price };

/** The event a market belongs to. In a negative-risk event exactly one market resolves to its first outcome. */
export type MarketEvent = {
  id: EventId;
  title: string;
  negRisk: boolean;
  /** An augmented event has an outcome that no listed market covers: its listed ones are not a complete set. */
  augmented: boolean;
  marketIds: MarketId[];
};

/**
 * What the venue takes of a taker: of each match `rate * size * price * (1 - price)`, rounded up to whole steps. A venue that
 * reckons in another way has a kind of its own here, and its formula in `opportunity/fee.ts`.
 */
export type FeeSchedule = { rate: Fraction; step: Usd };

/** A change of fees that the venue has announced, from `from` on. */
export type FeeChange = { from: Instant; feeSchedule: FeeSchedule; makerFeeSchedule: FeeSchedule };

/** From one price to another, both included, prices have a step of their own. */
export type TickBand = { from: Price; to: Price; tick: Tick };

/**
 * How far a market's oracle is before its answer is final: an answer is proposed, and counts unless it is disputed in time, or it
 * was disputed and is being voted on.
 */
export type ResolutionStatus = 'proposed' | 'disputed';

/**
 * What the outcomes of a market pay that is called off: half a dollar each; a price that the venue sets, often the last one traded; or what
 * was promised, because another market of its event comes true then.
 */
export type CalledOffPays = 'half' | 'price_of_venue' | 'as_promised';

/** A field on which two sources of a venue differ, and what each of them says of it. */
export type SourceDifference = { field: 'fee' | 'outcomes' | 'negative_risk' | 'tick' | 'least_size'; says: string };

/** A market as its venue describes it, in our words and units. */
export type Market = {
  id: MarketId;
  question: string;
  event: MarketEvent | null;
  outcomes: MarketOutcome[];
  negRisk: boolean;
  /** The venue's name for the contract that trades of this market go through. */
  settledBy: string;
  endDate: Instant | null;
  closed: boolean;
  acceptingOrders: boolean;
  /** Why it takes no orders for a while; left out where it takes some, or that is not known. */
  pauseReason?: string;
  /** When the venue will take no orders for a while, by its schedule; left out where it has none, or that is not known. */
  nextPause?: { from: Instant; until: Instant };
  /** Null until an answer is proposed, and once it is final. */
  resolution: ResolutionStatus | null;
  tick: Tick;
  /** Where prices are stepped otherwise than by `tick`; absent of a market that was recorded before it was kept. */
  tickBands?: readonly TickBand[];
  /** The fewest shares of an order that may rest. One of fewer is filled at once or dropped. */
  minOrderSize: Shares;
  /** The fewest dollars of an order that buys at once, and the step between two amounts of them in an order that may not rest. */
  minImmediateBuy: Usd;
  immediateBuyStep: Usd;
  /** Which part of the account's cash its orders are paid from. */
  pocket: string;
  /** Shares of one outcome are gone by buying as many of the other: an account never holds both. */
  netsOutcomes: boolean;
  /** Absent where that is not known. */
  calledOffPays?: CalledOffPays;
  /** The venue may still change what the outcomes pay. */
  isProvisional?: true;
  /** The step between two sizes of an order: a multiple of `LEAST_SIZE`. */
  sizeStep: Shares;
  /** The step between two amounts that an order filled at once may bring at its limit. */
  saleAmountStep: Usd;
  /** Null when the venue does not say, which is an error wherever a fee is needed, never zero. */
  feeSchedule: FeeSchedule | null;
  /** The fee of an order that rested when it was matched, by the formula of `feeSchedule`; null when the venue does not say. */
  makerFeeSchedule: FeeSchedule | null;
  /** Null where no other fee has been announced. */
  feeChange: FeeChange | null;
  /** The venue's name for the kind of fee, if it has one. */
  feeCategory?: string;
  /** Fields on which the venue's own sources differ; null until both were read, left out where there is one only. */
  differences?: readonly SourceDifference[] | null;
};
