import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { OutcomeIndex } from '../matching/order.ts';
import { type Market, type Payouts, payoutsOf, winnerOf } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { eventMembers } from './event-members.ts';
import { FEE_VAULT } from './fee-vault.ts';
import * as moves from './moves.ts';

/** Why a split, merge, redemption or conversion was not done. */
export type PositionRefusal = 'not enough balance' | 'the market is not resolved' | 'not a negative-risk set';

/** How a redemption pays: by the transaction that takes the shares, by another one, or not at all. */
export const REDEEM_PAYS = ['together', 'apart', 'never'] as const;
export type RedeemPays = (typeof REDEEM_PAYS)[number];

export interface AutoRedeem {
  readonly isOn: boolean;
  readonly delayMs: number;
  /** `together` where it is absent. */
  readonly pays?: RedeemPays;
}

const NO_AUTO_REDEEM: AutoRedeem = { isOn: false, delayMs: 0 };

/** The movements of one redemption, shown on the chain. */
export interface Redeemed {
  readonly account: string;
  readonly market: Market;
  readonly moved: moves.Moves;
  readonly pays: RedeemPays;
}

/** Operations of the chain on positions: a whole set is worth one dollar per share at any time. */
export class Positions {
  /** Whether the venue redeems for all accounts, and how long after a market was resolved. */
  autoRedeem: AutoRedeem;
  /** Published of each redemption that no transaction of the account has asked for. */
  onRedeemed: (redeemed: Redeemed) => void = () => {};
  readonly #engine: MatchingEngine;

  constructor(engine: MatchingEngine, autoRedeem: AutoRedeem = NO_AUTO_REDEEM) {
    this.#engine = engine;
    this.autoRedeem = autoRedeem;
  }

  /** One dollar becomes one share of each outcome. */
  split(account: string, market: Market, shares: Shares): PositionRefusal | undefined {
    return this.#apply(account, moves.split(market.tokens, shares));
  }

  /** One share of each outcome becomes one dollar. */
  merge(account: string, market: Market, shares: Shares): PositionRefusal | undefined {
    return this.#apply(account, moves.opposite(moves.split(market.tokens, shares)));
  }

  /** Pays what the shares of a resolved market are worth and voids them. */
  redeem(account: string, market: Market, pays: RedeemPays = 'together'): PositionRefusal | undefined {
    const { tokens, payouts } = market;
    if (payouts === undefined) return 'the market is not resolved';
    const { balances } = this.#engine;
    const held = [balances.tokens(account, tokens[0]), balances.tokens(account, tokens[1])] as const;
    const worth = moves.redeem(tokens, payouts, held);
    const moved = pays === 'never' ? { ...worth, usd: 0 } : worth;
    this.#book(account, moved);
    if (held.some((micro) => micro > 0)) this.onRedeemed({ account, market, moved, pays });
    return undefined;
  }

  /** Redeems whatever the account holds of markets that are resolved already, where that is switched on. */
  redeemResolved(account: string): void {
    if (!this.autoRedeem.isOn) return;
    for (const tokenId of [...this.#engine.balances.holdings(account).keys()]) {
      const token = this.#engine.directory.token(tokenId);
      if (token?.market.payouts !== undefined) this.redeem(account, token.market, this.autoRedeem.pays);
    }
  }

  /**
   * NO on k outcomes of a negative-risk event becomes k - 1 dollars and YES on all its other outcomes, less the event's fee.
   * @param shares per outcome
   */
  convert(account: string, markets: readonly Market[], shares: Shares): PositionRefusal | undefined {
    const event = markets[0]?.event;
    const members = event?.negRisk === true ? eventMembers(event) : undefined;
    if (event === undefined || members === undefined || markets.some((market) => market.event !== event)) {
      return 'not a negative-risk set';
    }
    const chosen = new Set(markets.map(({ tokens }) => tokens[0]));
    const indexes = members.pairs.flatMap(([yes], index) => (chosen.has(yes) ? [index] : []));
    const feeBips = this.#engine.directory.feeBips(event);
    const { owner, vault } = moves.convert(members, new Set(indexes), shares, feeBips);
    const refusal = this.#apply(account, owner);
    if (refusal === undefined) this.#book(FEE_VAULT, vault);
    return refusal;
  }

  /** Ends a market: cancels what stands in it and says what its outcomes pay. */
  resolve(market: Market, winner: OutcomeIndex | 'half'): void {
    this.resolvePaying(market, payoutsOf(winner));
  }

  /** As `resolve`, also with parts of a dollar for each outcome; a market has a winner only where the other outcome pays nothing. */
  resolvePaying(market: Market, payouts: Payouts): void {
    const engine = this.#engine;
    market.isAccepting = false;
    for (const order of engine.register.openOrders()) {
      if (order.conditionId === market.listing.conditionId) engine.cancel(order.id, 'CANCELED_MARKET_RESOLVED');
    }
    engine.replaceQuotes(market, []);
    market.payouts = payouts;
    market.winner = winnerOf(payouts);
    this.#redeemLater(market);
    engine.announcer.marketChanged(market);
    engine.announcer.marketResolved(market);
  }

  /** Redeems for all accounts after the delay, if that is switched on then as well. */
  #redeemLater(market: Market): void {
    const redeemAll = () => {
      for (const account of this.#engine.balances.accounts()) this.redeem(account, market, this.autoRedeem.pays);
    };
    const { isOn, delayMs } = this.autoRedeem;
    if (isOn && delayMs === 0) redeemAll();
    else if (isOn) this.#engine.clock.schedule(delayMs, () => this.autoRedeem.isOn && redeemAll());
  }

  #apply(account: string, moved: moves.Moves): PositionRefusal | undefined {
    const { balances } = this.#engine;
    const lacks = moved.tokens.some(([tokenId, micro]) => balances.freeTokens(account, tokenId) < -micro);
    if (lacks || balances.freeCash(account) < -moved.usd) return 'not enough balance';
    this.#book(account, moved);
    return undefined;
  }

  #book(account: string, { usd, tokens }: moves.Moves): void {
    const { balances, announcer } = this.#engine;
    balances.credit({ account, usd: usd as Usd, tokenId: '', shares: SHARES_ZERO });
    for (const [tokenId, micro] of tokens) {
      balances.credit({ account, usd: USD_ZERO, tokenId, shares: micro as Shares });
    }
    announcer.accountChanged(account);
  }
}
