import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Movement } from './balances.ts';
import { FEE_COLLECTOR, type Fill, type OutcomeIndex, type RestingOrder, type Side } from './order.ts';

/** The two token ids of a market, first outcome first. */
export type TokenPair = readonly [string, string];

/** What a match moves: debits leave the accounts at the match, credits arrive when it settles. */
export interface Transfer {
  readonly debits: readonly Movement[];
  readonly credits: readonly Movement[];
}

/** The booking of one match. A mint or a merge is nothing special: two buyers, or two sellers, of opposite tokens. */
export function transferOf(
  taker: { readonly account: string; readonly side: Side; readonly outcome: OutcomeIndex },
  fill: Fill,
  tokens: TokenPair,
): Transfer {
  const takerToken = tokens[taker.outcome];
  const makerToken = tokens[fill.makerOutcome];
  const { shares, takerUsd, fee, makerUsd } = fill;
  const maker = { account: fill.makerAccount, side: fill.makerSide };
  const takerLeg = legOf(taker, { tokenId: takerToken, shares, usd: takerUsd, fee });
  const makerLeg = legOf(maker, { tokenId: makerToken, shares, usd: makerUsd, fee: USD_ZERO });
  return {
    debits: [takerLeg.debit, makerLeg.debit],
    credits: [takerLeg.credit, makerLeg.credit, money(FEE_COLLECTOR, fill.fee)],
  };
}

/** What a standing order holds back: its dollars at the limit, or its shares. */
export function reservationOf(order: RestingOrder, tokens: TokenPair): Movement {
  return reservation(order.account, order.side, tokens[order.outcome], order.remaining, order.limit);
}

export function reservation(account: string, side: Side, tokenId: string, shares: Shares, limit: Price): Movement {
  if (side === 'SELL') return { account, usd: USD_ZERO, tokenId, shares };
  return { account, usd: notional(shares, limit, 'up'), tokenId, shares: SHARES_ZERO };
}

function legOf(
  { account, side }: { readonly account: string; readonly side: Side },
  { tokenId, shares, usd, fee }: Omit<Movement, 'account'> & { readonly fee: Usd },
) {
  const tokens: Movement = { account, usd: USD_ZERO, tokenId, shares };
  return side === 'BUY'
    ? { debit: money(account, addUsd(usd, fee)), credit: tokens }
    : { debit: tokens, credit: money(account, subtractUsd(usd, fee)) };
}

function money(account: string, usd: Usd): Movement {
  return { account, usd, tokenId: '', shares: SHARES_ZERO };
}
