/** What shares of resolved markets pay: what is redeemed, what is lost, and what the venue has redeemed by itself. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, type Usd } from '@dutchbook/units/usd.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueCatalogue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { externalOrders } from '../external-orders/table.ts';
import type { Db } from '../runtime.ts';
import { cutToChain, type OrderLot, readLots, readTaken } from './free-lots.ts';
import type { PlannedStep } from './plan.ts';

export type RedeemParts = {
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  trading: Pick<VenueTrading, 'positions'>;
  chain: VenueChain;
};

/**
 * One token of a resolved market that we hold. `shares`: those that there are to redeem, whose lots these are. `error`: a sentence
 * why it is not redeemed now. `isGone`: the venue has redeemed it.
 */
export type ResolvedToken = {
  lots: OrderLot[];
  value: Price;
  shares: Shares;
  error: string | null;
  isGone: boolean;
};

/**
 * `tokens`: those that were asked for, of all that have `resolved`. `seen`: what our books said, to be compared when it is
 * recorded.
 */
export type RedeemDecision = { tokens: ResolvedToken[]; resolved: ResolvedToken[]; seen: string };

/** Of all markets that have resolved, or of some. Throws VenueUnavailable. */
export async function decideRedeem(
  db: Db,
  parts: RedeemParts,
  only: readonly string[] | null,
  priority: ReadPriority,
): Promise<RedeemDecision> {
  const all = await readLots(db, 'held');
  if (all.length === 0) return NOTHING_RESOLVED;
  const values = await resolvedValues(parts, all, priority);
  const lots = all.filter((lot) => values.has(lot.tokenId) && isMoreThanFees(lot));
  if (lots.length === 0) return NOTHING_RESOLVED;
  const balances = await parts.chain.balances([...new Set(lots.map(({ tokenId }) => tokenId))]);
  const taken = await readTaken(db);
  const free = cutToChain(lots, balances.shares, taken);
  const soldElsewhere = await soldByOthers(db, lots);
  const resolved = [...Map.groupBy(free, ({ tokenId }) => tokenId)].map(([tokenId, own]): ResolvedToken => {
    const books = lots.filter((lot) => lot.tokenId === tokenId);
    const held = books.reduce((sum, lot) => addShares(sum, lot.held), SHARES_ZERO);
    const facts = {
      books,
      held,
      there: balances.shares.get(tokenId) ?? SHARES_ZERO,
      isSoldElsewhere: soldElsewhere.has(tokenId),
    };
    const judgement = judged(facts);
    const lotsOf = judgement.error === null ? own.filter(({ shares }) => shares > 0) : books;
    const shares = lotsOf.reduce((sum, lot) => addShares(sum, lot.shares), SHARES_ZERO);
    return { lots: lotsOf, value: values.get(tokenId) ?? (0 as Price), shares, ...judgement };
  });
  const tokens = resolved.filter((token) => only === null || token.lots.some((lot) => only.includes(lot.marketId)));
  return { tokens, resolved, seen: seenOf(lots) };
}

const NOTHING_RESOLVED: RedeemDecision = { tokens: [], resolved: [], seen: '[]' };

type TokenFacts = { books: OrderLot[]; held: Shares; there: Shares; isSoldElsewhere: boolean };

/** A venue may have taken a part of what was bought as its fee, a twentieth at most: nobody holds that. */
function isMoreThanFees({ held, bought }: Pick<OrderLot, 'held' | 'bought'>): boolean {
  return held * FEE_PART_MAX > bought;
}

const FEE_PART_MAX = 20;

/**
 * Contracts of the first protocol redeem all that is held of a market at once, so that all of it has to be free. Shares that are
 * gone from the chain at a resolved market were redeemed by the venue, unless somebody sold them without us.
 */
function judged({ books, held, there, isSoldElsewhere }: TokenFacts) {
  const active = books.find(({ batchStatus }) => isActive(batchStatus));
  if (active !== undefined) return refused(`A batch that is ${active.batchStatus} holds shares of it.`);
  const booked = books.reduce((sum, { shares }) => sum + shares, 0);
  if (booked < held) return refused('Shares of it are in orders that have not ended, or have not settled yet.');
  if (there === 0 && isSoldElsewhere)
    return refused('The chain has none of these shares, and an order from elsewhere sold some.');
  if (there === 0) {
    const error = 'The chain has none of these shares: the venue has redeemed them, which is booked within a minute.';
    return { error, isGone: true };
  }
  if (isMoreThanFees({ held: (held - there) as Shares, bought: held }))
    return refused('The chain has fewer of these shares than were bought.');
  return { error: null, isGone: false };
}

function refused(error: string) {
  return { error, isGone: false };
}

function seenOf(lots: readonly OrderLot[]): string {
  return JSON.stringify(lots.map(({ orderId, shares, held, batchStatus }) => [orderId, shares, held, batchStatus]));
}

/** What our books say of these tokens now. */
export async function redeemSeen(db: Db, { resolved }: RedeemDecision): Promise<string> {
  const lots = resolved.flatMap((token) => token.lots);
  const tokenIds = new Set(lots.map(({ tokenId }) => tokenId));
  const now = await readLots(db, { marketIds: [...new Set(lots.map(({ marketId }) => marketId))] });
  return seenOf(now.filter((lot) => tokenIds.has(lot.tokenId) && isMoreThanFees(lot)));
}

/**
 * By token, of those whose market has resolved: what was known before, else from what the venue lists as held, else from what it
 * says of the event.
 */
async function resolvedValues(
  { catalogue, trading }: RedeemParts,
  lots: readonly OrderLot[],
  priority: ReadPriority,
): Promise<Map<string, Price>> {
  const listed = await trading.positions(priority);
  const values = new Map(
    [...lots, ...listed].flatMap(({ tokenId, resolvedValue }) =>
      resolvedValue === null ? [] : [[tokenId, resolvedValue] as const],
    ),
  );
  const told = new Set([...listed.map(({ tokenId }) => tokenId), ...values.keys()]);
  const missing = lots.filter(({ tokenId }) => !told.has(tokenId)).map(({ marketId }) => marketId);
  if (missing.length === 0) return values;
  const markets = await catalogue.marketsById([...new Set(missing)], priority);
  const closed = [...markets.values()].filter((market) => market.closed);
  const eventIds = [...new Set(closed.flatMap(({ event }) => event?.id ?? []))];
  const events = eventIds.length === 0 ? [] : await catalogue.eventsById(eventIds, priority);
  for (const { marketId, tokenIds, resolvedValue } of events.flatMap(({ members }) => members)) {
    if (resolvedValue === null || !missing.includes(marketId)) continue;
    const [first = '', second = ''] = tokenIds;
    values.set(first, resolvedValue);
    values.set(second, (PRICE_ONE - resolvedValue) as Price);
  }
  return values;
}

/** Tokens that somebody has sold with the account's key and without us. */
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

/** The tokens of a market go together: a contract may redeem them in one call. */
export function redeemSubmissions(steps: readonly PlannedStep[], callsMax: number): PlannedStep[][] {
  const submissions: PlannedStep[][] = [];
  for (const ofMarket of Map.groupBy(steps, ({ marketIds }) => marketIds[0]).values()) {
    const last = submissions.at(-1);
    if (last === undefined || last.length + ofMarket.length > callsMax) submissions.push([...ofMarket]);
    else last.push(...ofMarket);
  }
  return submissions;
}
