import { divInteger } from '@dutchbook/units/micro.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { OutcomeIndex } from '../matching/order.ts';
import type { Market } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';

/** Why a split, merge, redemption or conversion was not done. */
export type PositionRefusal = 'not enough balance' | 'the market is not resolved' | 'not a negative-risk set';

/** What the chain does to positions: a whole set is worth one dollar per share at any time. */
export class Positions {
  readonly #engine: MatchingEngine;

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
  }

  /** One dollar becomes one share of each outcome. */
  split(account: string, market: Market, shares: Shares): PositionRefusal | undefined {
    if (this.#engine.balances.freeCash(account) < shares) return 'not enough balance';
    this.#pay(account, -shares);
    for (const tokenId of market.tokens) this.#give(account, tokenId, shares);
    this.#engine.announcer.accountChanged(account);
    return undefined;
  }

  /** One share of each outcome becomes one dollar. */
  merge(account: string, market: Market, shares: Shares): PositionRefusal | undefined {
    if (market.tokens.some((tokenId) => this.#free(account, tokenId) < shares)) return 'not enough balance';
    for (const tokenId of market.tokens) this.#give(account, tokenId, -shares);
    this.#pay(account, shares);
    this.#engine.announcer.accountChanged(account);
    return undefined;
  }

  /** Pays one dollar per winning share of a resolved market and voids the rest. */
  redeem(account: string, market: Market): PositionRefusal | undefined {
    const { winner } = market;
    if (winner === undefined) return 'the market is not resolved';
    market.tokens.forEach((tokenId, outcome) => {
      const held = this.#engine.balances.tokens(account, tokenId);
      if (held === 0) return;
      this.#give(account, tokenId, -held);
      if (outcome === winner) this.#pay(account, held);
    });
    this.#engine.announcer.accountChanged(account);
    return undefined;
  }

  /** Redeems whatever the account holds of markets that are resolved already. */
  redeemResolved(account: string): void {
    for (const tokenId of [...this.#engine.balances.holdings(account).keys()]) {
      const token = this.#engine.directory.token(tokenId);
      if (token?.market.winner !== undefined) this.redeem(account, token.market);
    }
  }

  /**
   * NO on k outcomes of a negative-risk event becomes k - 1 dollars and YES on all its other outcomes.
   * @param shares per outcome
   */
  convert(account: string, markets: readonly Market[], shares: Shares): PositionRefusal | undefined {
    const event = markets[0]?.event;
    const chosen = new Set(markets);
    if (event === undefined || !event.negRisk || markets.some((market) => market.event !== event)) {
      return 'not a negative-risk set';
    }
    if (markets.some((market) => this.#free(account, market.tokens[1]) < shares)) return 'not enough balance';
    for (const market of chosen) this.#give(account, market.tokens[1], -shares);
    for (const { conditionId } of event.markets) {
      const market = this.#engine.directory.market(conditionId);
      if (market !== undefined && !chosen.has(market)) this.#give(account, market.tokens[0], shares);
    }
    this.#pay(account, (chosen.size - 1) * shares);
    this.#engine.announcer.accountChanged(account);
    return undefined;
  }

  /** Ends a market: cancels what stands in it and pays the winners. */
  resolve(market: Market, winner: OutcomeIndex): void {
    const engine = this.#engine;
    market.isAccepting = false;
    for (const order of engine.register.openOrders()) {
      if (order.conditionId === market.listing.conditionId) engine.cancel(order.id, 'CANCELED_MARKET_RESOLVED');
    }
    engine.replaceQuotes(market, []);
    market.winner = winner;
    for (const account of engine.balances.accounts()) this.redeem(account, market);
    engine.announcer.marketChanged(market);
    engine.announcer.marketResolved(market);
  }

  #free(account: string, tokenId: string): Shares {
    return this.#engine.balances.freeTokens(account, tokenId);
  }

  #pay(account: string, micro: number): void {
    this.#engine.balances.credit({
      account,
      usd: divInteger(micro, 1, 'down') as Usd,
      tokenId: '',
      shares: SHARES_ZERO,
    });
  }

  #give(account: string, tokenId: string, micro: number): void {
    this.#engine.balances.credit({ account, usd: USD_ZERO, tokenId, shares: micro as Shares });
  }
}
