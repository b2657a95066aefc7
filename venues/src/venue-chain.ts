/** The part of the port that converts shares into dollars, and dollars into shares, on a venue's chain, in the engine's words and units. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/**
 * One call of a contract, as the exit planner names it. `merge`: both outcomes of one market. `convert`: the second outcome of
 * each market. `horizontal_merge`: the first outcome of all members of an event, which any of them names. `directional_merge`:
 * above the first market's line with below the second's, a higher one.
 */
export type MergeRequest = {
  kind: 'merge' | 'convert' | 'horizontal_merge' | 'directional_merge';
  marketIds: readonly MarketId[];
  shares: Shares;
};

/**
 * What hands out shares for dollars, a dollar for a share of each. `split`: both outcomes of one market. `horizontal_split`:
 * the first outcome of all members of an event, which any of them names.
 */
export type SplitRequest = { kind: 'split' | 'horizontal_split'; marketIds: readonly MarketId[]; shares: Shares };

/** What a resolved market pays for one of its tokens. Of a market that is redeemed as a whole, `shares` does not count. */
export type RedeemRequest = { kind: 'redeem'; marketId: MarketId; tokenId: TokenId; shares: Shares };

/** Lets `contract` move all that `holder` keeps for the account, or nothing of it: the two as a `ChainApproval` names them. */
export type ApproveRequest = { kind: 'approve'; contract: string; holder: string; isAllowed: boolean };

export type ConversionRequest = MergeRequest | SplitRequest | RedeemRequest | ApproveRequest;

/** In the smallest unit of the chain's coin, more than a number holds, and in the coin itself; both as decimal text. */
export type GasCost = { wei: string; native: string; symbol: string };

/**
 * Signed, not sent: once stored, exactly these bytes can be sent, and prove what became of them. `id`: of the transaction
 * or of the signed batch, known before it is sent. `deadline`: when it cannot be carried out any more; null: time alone does
 * not end it. `highestCost`: of the gas; null where the relayer pays it. `payload`: for the venue alone.
 */
export type PreparedConversion = {
  id: string;
  nonce: number;
  deadline: Instant | null;
  highestCost: GasCost | null;
  payload: string;
};

/**
 * `sent`: taken, `id` is what it is called there. `refused`: this call was not taken, which proves nothing of one before it.
 * `rate_limited`, `quota_exceeded`: not looked at before `resetsAt`. `unknown`: it may have been taken.
 */
export type SubmitOutcome =
  | { kind: 'sent'; id: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'rate_limited' | 'quota_exceeded'; reason: string; resetsAt: Instant }
  | { kind: 'unknown'; reason: string };

/**
 * What a transaction has moved of the account, as its logs say: cash that came, shares by token, below zero what left. `payouts`:
 * what redemptions have paid, by market.
 */
export type ProvenMoves = {
  cash: Usd;
  shares: ReadonlyMap<TokenId, Shares>;
  payouts: ReadonlyMap<MarketId, Usd>;
};

/**
 * `absent`: proven that it was not carried out and never will be. `pending`: known and in no block. `mined`: in a block that
 * may still be undone. `confirmed`: carried out for good, which is not to say that it
 * moved anything: `moved` is what it did. `failed`: in a block for good and taken back whole; it will not be tried again. `given_up`: the relayer does not carry it out, and
 * the chain proves that its nonce is not used. It still may be, so that only another submission with its nonce, or its own end, ends it.
 * `unknown`: none of these is proven.
 */
export type ConversionLookup =
  | { kind: 'absent'; reason: string }
  | { kind: 'pending' }
  | { kind: 'mined'; hash: string; block: number }
  | { kind: 'confirmed'; hash: string; block: number; gas: GasCost | null; moved: ProvenMoves }
  | { kind: 'failed'; hash: string; block: number; reason: string; gas: GasCost | null }
  | { kind: 'given_up'; reason: string }
  | { kind: 'unknown'; reason: string };

/** As of one block. `shares` has every token that was asked for. */
export type ChainBalances = { block: number; cash: Usd; shares: ReadonlyMap<TokenId, Shares> };

/**
 * What dollars that came are, by who sent them. `deposit`: made of other money on their way, or sent by the account's own key.
 * `reward`, `rebate`: sent by the address that pays the venue's. `payout`: sent by a contract of the venue. `unknown`: any other sender.
 */
export type CashSource = 'deposit' | 'reward' | 'rebate' | 'payout' | 'unknown';

/**
 * Dollars that one transaction moved to the account, negative away from it, by neither a trade nor a call of this port. `source`: of
 * dollars that came; null of those that left. `party`: the address at the other end, null where there are several. `isFinal`: beyond a reorganisation.
 */
export type CashTransfer = {
  hash: string;
  block: number;
  amount: Usd;
  source: CashSource | null;
  party: string | null;
  isFinal: boolean;
};

/**
 * Shares, by token, that contracts of the venue have taken by one transaction, which was no trade and handed out none; `cash`: what came by it. The
 * calls of this port are among them.
 */
export type TakenShares = {
  hash: string;
  block: number;
  shares: ReadonlyMap<TokenId, Shares>;
  cash: Usd;
  isFinal: boolean;
};

/** Oldest first. All that is final is in blocks up to `through`, after which the next read begins. */
export type CashTransfers = { transfers: readonly CashTransfer[]; taken: readonly TakenShares[]; through: number };

/**
 * What `contract` may move of the account's cash, or of its shares that `holder` keeps. `amount` in millionths, the greatest
 * safe integer where there is no limit. `purpose`: `trade` for orders, `conversion` for what this port does; null for a contract
 * that the venue has retired, which should be allowed nothing.
 */
export type ChainApproval = {
  contract: string;
  name: string;
  asset: 'cash' | 'shares';
  holder: string;
  amount: number;
  purpose: 'trade' | 'conversion' | null;
};

/** Merging submissions left until `resetsAt`. */
export type MergeQuota = { left: number; resetsAt: Instant };

/** It will not be carried out as it was asked for: the chain refuses it, its gas costs more than configured, or it makes no sense. */
export class ConversionRefused extends Error {
  override readonly name = 'ConversionRefused';
}

export interface VenueChain {
  /** How many calls one submission holds at most. */
  readonly callsMax: number;
  /** Whether a `directional_merge` is carried out; where it is not, `prepare` refuses it. */
  readonly mergesLines: boolean;
  /**
   * Signs calls as one submission, without sending it. What is prepared before another was sent has its nonce:
   * one of them at most is carried out. Throws ConversionRefused, and VenueUnavailable where what it needs cannot be read.
   */
  prepare(calls: readonly ConversionRequest[]): Promise<PreparedConversion>;
  /** Sends exactly what was prepared, once. Never throws. */
  submit(prepared: PreparedConversion): Promise<SubmitOutcome>;
  /**
   * What became of it, sent or not; `sentAs` is the id that `submit` answered, where it did. The caller keeps a proof: later
   * it may be out of reach, because nodes and relayers forget, but what was confirmed is never answered as not carried out, nor the
   * other way round. Never throws.
   */
  lookUp(prepared: PreparedConversion, sentAs?: string): Promise<ConversionLookup>;
  /** Throws VenueUnavailable. */
  balances(tokenIds: readonly TokenId[]): Promise<ChainBalances>;
  /** What has moved in the blocks after `block`: of many not all at once. Throws VenueUnavailable. */
  transfers(block: number): Promise<CashTransfers>;
  /** Throws VenueUnavailable. */
  approvals(): Promise<ChainApproval[]>;
  /**
   * Those of the markets of which one `redeem` pays all that is held, whatever token it names; of the others each token takes a
   * call of its own. A market that is not known is none of them. Throws VenueUnavailable.
   */
  redeemedAsWhole(marketIds: readonly MarketId[]): Promise<ReadonlySet<MarketId>>;
  /** Null where the venue has not said. */
  quota(): MergeQuota | null;
  /**
   * What converting takes of the dollars and of the shares handed out, in hundredths of a percent; null where the market's
   * shares cannot be converted. Throws VenueUnavailable.
   */
  feeBips(marketId: MarketId): Promise<number | null>;
}
