/** Plans what happens to shares of resolved markets: redeemed, lost, or gone. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, type Usd } from '@dutchbook/units/usd.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueCatalogue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { externalOrders } from '../external-orders/table.ts';
import { resolvedValues } from '../orders/resolved-values.ts';
import type { FailuresByMarket } from './failures.ts';
import { cutToChain, type OrderLot, readLots, readTaken } from './free-lots.ts';
import type { PlannedStep } from './plan.ts';

export type RedeemParts = {
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  trading: Pick<VenueTrading, 'positions'>;
  chain: VenueChain;
  controls: { venue: VenueName };
};

/**
 * One token of a resolved market that we hold. `shares`: those that there are to redeem, whose lots these are. `error`: a sentence
 * why it is not redeemed now. `isGone`: these are gone, which proves no dollars; what else there may be is redeemed once the venue is proven to have redeemed them.
 * `isWhole`: one call redeems all tokens of its market.
 */
export type ResolvedToken = {
  lots: OrderLot[];
  value: Price;
  shares: Shares;
  error: string | null;
  isGone: boolean;
  isWhole: boolean;
};

/**
 * `tokens`: those that were asked for, of all that have `resolved`. `seen`: what our books said, to be compared when it is
 * recorded.
 */
export type RedeemDecision = { tokens: ResolvedToken[]; resolved: ResolvedToken[]; seen: string };

/** Decides what to redeem of all resolved markets of the venue, or of some. @throws VenueUnavailable */
export async function decideRedeem(
  db: Db,
  parts: RedeemParts,
  only: readonly string[] | null,
  priority: ReadPriority,
): Promise<RedeemDecision> {
  const all = (await readLots(db, 'held')).filter(({ tokenId }) => venueOf(tokenId) === parts.controls.venue);
  if (all.length === 0) return NOTHING_RESOLVED;
  const listed = await parts.trading.positions(priority);
  const values = await resolvedValues(parts.catalogue, all, listed, priority);
  const lots = all.filter((lot) => values.has(lot.tokenId) && isMoreThanFees(lot));
  if (lots.length === 0) return NOTHING_RESOLVED;
  const balances = await parts.chain.balances([...new Set(lots.map(({ tokenId }) => tokenId))]);
  const wholes = await parts.chain.redeemedAsWhole([...new Set(lots.map(({ marketId }) => marketId))]);
  const taken = await readTaken(db);
  const free = cutToChain(lots, balances.shares, taken);
  const soldElsewhere = await soldByOthers(db, lots);
  const listedShares = new Map(listed.map(({ tokenId, shares }) => [tokenId, shares]));
  const judgedAlone = [...Map.groupBy(free, ({ tokenId }) => tokenId)].map(([tokenId, own]): ResolvedToken => {
    const isLeaving = taken.get(tokenId) ?? SHARES_ZERO;
    const judgement = judged({
      free: own,
      books: lots.filter((lot) => lot.tokenId === tokenId),
      onChain: lessOf(balances.shares.get(tokenId) ?? SHARES_ZERO, isLeaving),
      listed: lessOf(listedShares.get(tokenId) ?? SHARES_ZERO, isLeaving),
      isSoldElsewhere: soldElsewhere.has(tokenId),
    });
    const shares = judgement.lots.reduce((sum, lot) => addShares(sum, lot.shares), SHARES_ZERO);
    const isWhole = own.some(({ marketId }) => wholes.has(marketId));
    return { ...judgement, shares, value: values.get(tokenId) ?? PRICE_ZERO, isWhole };
  });
  const resolved = judgedAlone.map((token) => ({ ...token, error: token.error ?? keptBy(token, judgedAlone) }));
  const tokens = resolved.filter((token) => only === null || token.lots.some((lot) => only.includes(lot.marketId)));
  return { tokens, resolved, seen: seenOf(lots) };
}

const NOTHING_RESOLVED: RedeemDecision = { tokens: [], resolved: [], seen: '[]' };

/** `onChain`, `listed`: what the chain has, and what the venue tells, beside what sales take. */
type TokenFacts = {
  books: OrderLot[];
  free: OrderLot[];
  onChain: Shares;
  listed: Shares;
  isSoldElsewhere: boolean;
};

function lessOf(shares: Shares, taken: Shares): Shares {
  return Math.max(0, shares - taken) as Shares;
}

/** A venue may have taken a part of what was bought as its fee, a twentieth at most: it is not held. */
function isMoreThanFees({ held, bought }: Pick<OrderLot, 'held' | 'bought'>): boolean {
  return held * FEE_PART_MAX > bought;
}

const FEE_PART_MAX = 20;

/**
 * A contract may redeem all that is held of a market at once, so that all of it has to be free. Of shares of a resolved market that
 * neither the chain nor the venue has any more the oldest are gone, unless they were sold by an order from outside of this product.
 */
function judged({ books, free, onChain, listed, isSoldElsewhere }: TokenFacts) {
  const refused = (error: string) => ({ lots: books, error, isGone: false });
  const active = books.find(({ batchStatus }) => isActive(batchStatus));
  if (active !== undefined) return refused(`A batch that is ${active.batchStatus} holds shares of it.`);
  const held = books.reduce((sum, lot) => addShares(sum, lot.held), SHARES_ZERO);
  const booked = books.reduce((sum, lot) => addShares(sum, lot.shares), SHARES_ZERO);
  if (booked < held) return refused('Shares of it are in orders that have not ended, or have not settled yet.');
  const missing = lessOf(held, onChain);
  if (!isMoreThanFees({ held: missing, bought: held }))
    return { lots: free.filter(({ shares }) => shares > 0), error: null, isGone: false };
  const has = `The chain has ${onChain === 0 ? 'none' : 'only a part'} of these shares`;
  if (isSoldElsewhere) return refused(`${has}, and an order from elsewhere sold some.`);
  // Venue or chain may be behind.
  if (lessOf(held, listed) < missing) return refused(`${has}, and the venue still lists more.`);
  const error = `${has}: ${onChain === 0 ? 'they' : 'the others'} are gone, and are booked by the dollars that are proven to have come for them.`;
  return { lots: firstOf(books, missing), error, isGone: true };
}

/** The oldest lots, up to `shares`. */
export function firstOf(lots: readonly OrderLot[], shares: Shares): OrderLot[] {
  const there = new Map(lots.map(({ tokenId }) => [tokenId, shares]));
  return cutToChain(lots, there, new Map()).filter((lot) => lot.shares > 0);
}

/** Why another outcome, which the call would redeem too, is not redeemed now. */
function keptBy({ lots, value, isWhole }: ResolvedToken, tokens: readonly ResolvedToken[]): string | null {
  if (!isWhole || value === 0) return null;
  const marketId = lots[0]?.marketId;
  const kept = tokens.find(
    ({ value, error, lots: own }) => value > 0 && error !== null && own[0]?.marketId === marketId,
  );
  return kept === undefined ? null : `It is redeemed with the other outcome. ${kept.error}`;
}

function seenOf(lots: readonly OrderLot[]): string {
  return JSON.stringify(lots.map(({ orderId, shares, held, batchStatus }) => [orderId, shares, held, batchStatus]));
}

/** Our books of these tokens, as text to compare. */
export async function redeemSeen(db: Db, { resolved }: RedeemDecision): Promise<string> {
  const lots = resolved.flatMap((token) => token.lots);
  const tokenIds = new Set(lots.map(({ tokenId }) => tokenId));
  const now = await readLots(db, { marketIds: [...new Set(lots.map(({ marketId }) => marketId))] });
  return seenOf(now.filter((lot) => tokenIds.has(lot.tokenId) && isMoreThanFees(lot)));
}

/** Tokens that were sold with the account's key by an order from outside of this product. */
async function soldByOthers(db: Db, lots: readonly OrderLot[]): Promise<ReadonlySet<string>> {
  const tokenIds = [...new Set(lots.map(({ tokenId }) => tokenId))];
  const sold = await db
    .select({ tokenId: externalOrders.tokenId })
    .from(externalOrders)
    .where(
      and(
        eq(externalOrders.side, 'sell'),
        gt(externalOrders.matchedSize, SHARES_ZERO),
        inArray(externalOrders.tokenId, tokenIds),
      ),
    );
  return new Set(sold.map(({ tokenId }) => tokenId));
}

export function paidFor({ value, shares }: Pick<ResolvedToken, 'value' | 'shares'>): Usd {
  return notional(shares, value, 'down');
}

/** The redemption of each token as a step; each share pays the same, and what rounding leaves goes to the last. */
export function redeemSteps(tokens: readonly ResolvedToken[]): PlannedStep[] {
  return tokens.flatMap((token): PlannedStep[] => {
    const [first] = token.lots;
    if (first === undefined) return [];
    const dollars = paidFor(token);
    let rest: number = dollars;
    const parts = token.lots.map((lot, place) => {
      const amount = place === token.lots.length - 1 ? rest : mulDiv(dollars, lot.shares, token.shares, 'down');
      rest -= amount;
      return { lot, shares: lot.shares, dollars: amount as Usd };
    });
    return [
      {
        ...{ kind: 'redeem', marketIds: [first.marketId], marketNames: [first.marketName], tokenId: first.tokenId },
        ...{ shares: token.shares, dollars, changes: [{ tokenId: first.tokenId, micro: -token.shares }] },
        ...{ parts, handedOut: [] },
      },
    ];
  });
}

/** Groups the shares that one call redeems. `alone`: markets whose call may fail and take others of its submission back. */
export function redeemSubmissions(
  tokens: readonly ResolvedToken[],
  callsMax: number,
  alone: FailuresByMarket,
): PlannedStep[][] {
  const nameOf = ({ isWhole, lots: [first] }: ResolvedToken) => (isWhole ? first?.marketId : first?.tokenId);
  const isAlone = ({ lots: [first] }: ResolvedToken) => alone.has(first?.marketId ?? '');
  const callsOf = (some: readonly ResolvedToken[]) => [...Map.groupBy(some, nameOf).values()].map(redeemSteps);
  const calls = callsOf(tokens.filter((token) => !isAlone(token)));
  const submissions = callsOf(tokens.filter(isAlone));
  for (let from = 0; from < calls.length; from += callsMax) submissions.push(calls.slice(from, from + callsMax).flat());
  return submissions;
}
