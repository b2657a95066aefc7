import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { OpportunityValue, PositionQuote } from '../opportunity/value.ts';
import type { PlacementPlan } from '../order/plan.ts';
import type { Allowances } from './allowance.ts';
import type { OwnOrder } from './self-trade.ts';
import type { Settlements } from './settlement-failures.ts';

/**
 * A quote and how far its book can be trusted: fed by a healthy stream (`live`) or read over REST (`polled`), by a
 * stream that may be behind (`stale`), or by nothing. `bookAgeMs` counts from when the book was last known to be right.
 */
export type GateQuote = PositionQuote & {
  feed: 'live' | 'verified' | 'stale' | 'polled' | 'none';
  bookAgeMs: number | null;
};

/** Everything that says whether an opportunity may be bought now; every gate looks at it and at nothing else. */
export type GateContext = {
  /** Placed by the product itself. */
  automatic: boolean;
  /** Its orders are only simulated: balances and limits are those of practice, and the accounts at the venues do not matter. */
  practice: boolean;
  now: Instant;
  active: boolean;
  /** A found opportunity, whose automatic placing is switched off. */
  isHeldBack: boolean;
  quotes: readonly GateQuote[];
  value: OpportunityValue;
  plan: PlacementPlan;
  /** The purchase completes sets of which a part is held; the minimum profit to begin does not apply. */
  completes: boolean;
  /**
   * Net profit that must be reached: MIN_PROFIT_TRIGGER_THRESHOLD for an automatic order, the retry threshold in percent
   * for a retry. Null: any profit above zero will do.
   */
  profitFloorPct: Percent | null;
  /** A person has confirmed what completing sets loses: it needs no profit. Left out of everything else. */
  mayLose?: boolean;
  /** Time until the purchase is cash again; null where that is not known. */
  untilCashMs: number | null;
  /** The set price the decision to buy was taken at; null when there is none to compare with. */
  quotedPrice: Price | null;
  /** The active batch of this opportunity. */
  activeBatchId: string | null;
  /** Recovery is over: every order of an earlier run was looked up. */
  reconciled: boolean;
  /**
   * Dollars, fees included, that the requester has asked for within `TOGETHER_MINUTES` in other batches, none of which was signed off.
   * Left out for automatic orders, which have no requester.
   */
  askedLately?: Usd;
  /** Dollars, fees included, that the clips before this one have taken. Left out of what is no further clip. */
  seriesSpent?: Usd;
  /** Bounds of an order whose size the product chooses. Left out where the size is the smallest, or a person's. */
  clipLimits?: ClipLimits;
  settings: GateSettings;
} & Soundness &
  Holdings;

/** Whether what decisions are made with can be relied on, and whose decisions they may be. */
export type Soundness = {
  /** Names of the stored settings whose value is out of range, so that their default holds. */
  corruptSettings: readonly string[];
  /** Categories of fees in which nothing is bought alone until a superuser clears them, written as ids of their venue. Left out where there are none. */
  feeStops?: ReadonlySet<string>;
  /** Left out, or null, where buying does not pause for settlements that fail. */
  settlements?: Settlements | null;
  /** Dollars, fees included, above which a batch needs a second person's sign-off. Left out, or null, where none does. */
  signOffAbove?: Usd | null;
};

/** The state of one account, and its use of limits. */
export type AccountState = LimitUse & {
  /** Cash free to spend; null when the venue did not say. */
  balance: Usd | null;
  /** Free cash by `Market.pocket` where the venue divides it: an order is paid from its market's pocket alone. */
  pockets?: Readonly<Record<string, Usd>>;
  /** Pockets between which cash is being moved: orders would change the balances that prove the move. Absent without a move. */
  movingPockets?: readonly string[];
  /** The cash that the venue's contracts may move; null when the venue did not say. */
  allowances: Allowances | null;
  armed: boolean;
  /** How far the venue's clock is ahead of this machine's; null while the venue has not said. */
  clockSkewMs: number | null;
  /** When the venue takes the key no more; left out where it does not say. */
  keyEndsAt?: Instant;
  /**
   * Names of contracts that matched orders of negative-risk markets need besides the exchange, and that the chain does not let move
   * the account's cash. Left out where that is not known.
   */
  unapproved?: readonly string[];
  /** Limits in force at the venue. */
  limits: TradingLimits;
  /** On a real venue a limit that is not set refuses like one that is reached. */
  limitsRequired: boolean;
};

/** Over all opportunities. */
export type LimitUse = {
  /** Dollars that the orders placed today took or may still take. */
  placedToday: Usd;
  /** Dollars in positions and open orders now. */
  openExposure: Usd;
};

/** The accounts that a plan may spend from, and what they have standing together. */
export type Holdings = {
  accounts: Accounts;
  /** Limits over all venues together; none of them has to be set. */
  deskLimits: TradingLimits;
  /** Our own orders of other batches that have not ended. */
  ownOrders: readonly OwnOrder[];
  /** What earlier attempts of the same batch took, by order; empty for a batch that is new. */
  spentBefore: readonly OrderSpending[];
};

/** Accounts by venue; also of a venue that is no longer configured, where limits of the whole desk count its use. */
export type Accounts = ReadonlyMap<VenueName, AccountState>;

/** Dollars, fees included, that one order of a batch has taken. */
export type OrderSpending = { leg: number; tokenId: TokenId; spent: Usd };

/** Input of the sign-off gate, which is also asked by itself when a person may have a batch signed off. */
export type SignOffContext = Pick<GateContext, 'plan' | 'spentBefore' | 'signOffAbove' | 'askedLately' | 'seriesSpent'>;

/** What the limit gates look at. */
export type LimitContext = Pick<GateContext, 'plan' | 'quotes' | 'accounts' | 'deskLimits' | 'spentBefore'>;

/**
 * Whether found opportunities are placed automatically, and what their prices are judged by in place of the two thresholds.
 * `foundBand` is absent of what was recorded before there was one.
 */
export type FoundRules = { placesFound: boolean; foundBand?: Partial<PriceBand> };

export type PriceBand = Pick<GateSettings, 'priceLow' | 'priceHigh'>;

export type GateSettings = {
  /** MARKET_TIMING_VALIDATION_ENABLED */
  validateTiming: boolean;
  /** PRICE_THRESHOLD_VALIDATION_ENABLED; PRICE_LOW_THRESHOLD and PRICE_HIGH_THRESHOLD, or what discovery has in their place. */
  validatePrices: boolean;
  priceLow: Price;
  priceHigh: Price;
  /** PRICE_DEVIATION_THRESHOLD */
  maxDeviation: Fraction;
  minOrderValue: Usd;
  minOrderShares: Shares;
  maxBookAgeMs: number;
  /** MIN_ANNUALISED_RETURN; zero is off. */
  minAnnualised: Percent;
};

/**
 * `clip`: dollars, fees included, that one clip may take. `lossAllowance`: dollars that may be lost while its legs are unequal.
 */
export type ClipLimits = { clip: Usd; lossAllowance: Usd };

/** Dollars including fees; null is off. */
export type TradingLimits = {
  perOrder: Usd | null;
  perBatch: Usd | null;
  perDay: Usd | null;
  openExposure: Usd | null;
};

/**
 * A refusal. `message` is a phrase that carries the distance; `actual` and `required` are the same as numbers, in the
 * unit the message uses (percent, dollars, shares, seconds), null where there is nothing to measure.
 */
export type Blocker = { gate: string; message: string; actual: number | null; required: number | null };

/** Null lets the order pass. */
export type Gate = (context: GateContext) => Blocker | null;
