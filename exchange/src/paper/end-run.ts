import { complement } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { hashId } from '../catalogue/ids.ts';
import type { Chain } from '../chain/chain.ts';
import { recordRedemption } from '../chain/venue-redemptions.ts';
import { ControlError, postAwaited } from '../control/calls.ts';
import { hasPending, submitTransfer } from '../control/transfer-control.ts';
import type { Market, Token } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { redeem } from '../settlement/moves.ts';
import type { BookFeed } from './books/feed.ts';
import { type Ended, endOfRun, KeptRuns, NOT_ENDED } from './run-end.ts';

export interface EndRunParts {
  readonly engine: MatchingEngine;
  readonly feed: Pick<BookFeed, 'follow' | 'unfollow' | 'untilLive'>;
  readonly bookWaitMs: number;
}

/**
 * `POST /_control/end_run`: ends a run of the paper account and begins one with `cash`. What stands is canceled, what is held is closed
 * at the bid, all dollars leave and the new ones come, each as a transaction of the chain. A run is ended once, however often it is
 * asked for; what is refused has changed nothing.
 */
export function registerEndOfRun(app: FastifyInstance, chain: Chain, parts: EndRunParts): void {
  const { engine, feed, bookWaitMs } = parts;
  const kept = new KeptRuns();
  postAwaited(app, 'end_run', endOfRun, async ({ run, cash, step }) => {
    const names = { in: hashId('end of run', run, 'in'), out: hashId('end of run', run, 'out') };
    const answer = (): Ended => ({ in: names.in, out: chain.pool.get(names.out) === undefined ? null : names.out });
    if (chain.pool.get(names.in) !== undefined) return answer();
    if (step === 'keep') return kept.keep(run);
    const amount = usdFromText(cash);
    if (amount <= 0) throw new ControlError(422, 'cash must be above 0');
    const account = engine.register.firstAccount()?.address;
    if (account === undefined) throw new ControlError(409, 'no API key has been created yet');
    const markets = [...new Set(heldBy(engine, account).map(({ market }) => market))].filter(isUnresolved);
    for (const market of markets) feed.follow(market);
    try {
      const found = await Promise.all(markets.map((market) => feed.untilLive(market, bookWaitMs)));
      const missing = markets.filter(({ isAccepting }, place) => isAccepting && !found[place]).length;
      if (missing > 0)
        throw new ControlError(409, `the books of ${missing} markets that are held are out of reach at the real venue`);
      // Another call may have been faster.
      if (chain.pool.get(names.in) !== undefined) return answer();
      if (hasPending(chain, account)) throw new ControlError(409, 'a transaction of the account waits for its block');
      kept.refuse({ run, step });
      if (step === 'check') return NOT_ENDED;
      exchangeAll(chain, account, { amount, names });
      return answer();
    } finally {
      for (const market of markets) feed.unfollow(market);
    }
  });
}

/** Nothing is waited for. */
function exchangeAll(
  chain: Chain,
  account: string,
  { amount, names }: { amount: Usd; names: Readonly<Record<'in' | 'out', `0x${string}`>> },
): void {
  const { engine } = chain;
  cancelAll(engine, account);
  for (const token of heldBy(engine, account)) close(chain, account, token);
  const leaving = engine.balances.cash(account);
  if (leaving > 0) submitTransfer(chain, { account, amount: -leaving as Usd, sender: 'deposit', hash: names.out });
  submitTransfer(chain, { account, amount, sender: 'deposit', hash: names.in });
}

/** Its shares are worth what its book bids; while it trades its book has to be there. */
function isUnresolved({ payouts }: Market): boolean {
  return payouts === undefined;
}

function heldBy({ balances, directory }: MatchingEngine, account: string): Token[] {
  return [...balances.holdings(account)].flatMap(([tokenId, shares]) =>
    shares > 0 ? (directory.token(tokenId) ?? []) : [],
  );
}

function cancelAll(engine: MatchingEngine, account: string): void {
  for (const order of engine.register.openOrders()) if (order.account === account) engine.cancel(order.id);
}

/** Takes all of a token for what it is worth. */
function close(chain: Chain, account: string, token: Token): void {
  const { engine } = chain;
  const { market, tokenId } = token;
  const shares = engine.balances.tokens(account, tokenId);
  const usd = worthOf(token, shares);
  engine.balances.credit({ account, usd, tokenId, shares: -shares as Shares });
  engine.announcer.accountChanged(account);
  recordRedemption(chain, { account, market, moved: { usd, tokens: [[tokenId, -shares]] }, pays: 'together' });
}

/** The payout of a resolved market, else the bid; without a bid nothing. */
function worthOf({ market, outcome }: Token, shares: Shares): Usd {
  const { payouts, tokens, book, hasBooks } = market;
  if (payouts !== undefined) {
    const held = outcome === 0 ? ([shares, SHARES_ZERO] as const) : ([SHARES_ZERO, shares] as const);
    return redeem(tokens, payouts, held).usd as Usd;
  }
  // Books that are no longer followed keep their last levels.
  if (!hasBooks) return USD_ZERO;
  const ask = book.best('ask');
  const bid = outcome === 0 ? book.best('bid') : ask === undefined ? undefined : complement(ask);
  return bid === undefined ? USD_ZERO : notional(shares, bid, 'down');
}
