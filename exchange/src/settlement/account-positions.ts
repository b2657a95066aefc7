import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Token } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { TradeRecord } from '../matching-engine/records.ts';

/** A token that an account holds or has traded. Trades count once they are mined; what was split or converted has no price. */
export interface AccountPosition {
  readonly token: Token;
  readonly held: Shares;
  /** Ever, and what was paid for them before fees. */
  readonly bought: Shares;
  readonly paid: Usd;
  readonly fees: Usd;
  readonly sold: Shares;
  readonly received: Usd;
  /** When it was last traded; null: never. */
  readonly tradedAt: Instant | null;
}

type Traded = Omit<AccountPosition, 'token' | 'held'>;

const NEVER: Traded = {
  bought: SHARES_ZERO,
  paid: USD_ZERO,
  fees: USD_ZERO,
  sold: SHARES_ZERO,
  received: USD_ZERO,
  tradedAt: null,
};

/** In no particular order. */
export function accountPositions({ balances, directory, register }: MatchingEngine, account: string) {
  const traded = new Map<string, Traded>();
  for (const trade of register.tradesOf(account)) {
    if (trade.status === 'MINED' || trade.status === 'CONFIRMED') count(trade, account, traded);
  }
  const tokenIds = new Set([...balances.holdings(account).keys(), ...traded.keys()]);
  return [...tokenIds].flatMap((tokenId): AccountPosition[] => {
    const token = directory.token(tokenId);
    if (token === undefined) return [];
    return [{ ...(traded.get(tokenId) ?? NEVER), token, held: balances.tokens(account, tokenId) }];
  });
}

function count(trade: TradeRecord, account: string, traded: Map<string, Traded>): void {
  const { taker, makers, shares, takerUsd, fee, matchedAt } = trade;
  const parts = [{ ...taker, shares, usd: takerUsd, fee }, ...makers.map((maker) => ({ ...maker, fee: USD_ZERO }))];
  for (const part of parts) {
    if (part.account !== account) continue;
    const before = traded.get(part.tokenId) ?? NEVER;
    const after =
      part.side === 'BUY'
        ? {
            bought: addShares(before.bought, part.shares),
            paid: addUsd(before.paid, part.usd),
            fees: addUsd(before.fees, part.fee),
          }
        : { sold: addShares(before.sold, part.shares), received: addUsd(before.received, part.usd) };
    traded.set(part.tokenId, { ...before, ...after, tradedAt: matchedAt });
  }
}
