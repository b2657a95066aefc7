/**
 * Stores with the orders of batches what venue and chain say of their shares: the payout of resolved markets before redemption, and
 * shares that have left the account by no order of ours. Runs in the leading engine.
 */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type Venue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { eq } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { cutToChain, type OrderLot, readLots, readTaken } from '../chain-steps/free-lots.ts';
import { LeaseLost, releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { type BatchPublisher, openBatchPublisher } from '../execution/runner/publish-batch.ts';
import { underLease } from '../execution/runner/under-lease.ts';
import { resolvedValues } from '../orders/resolved-values.ts';
import { batchOrders } from '../orders/table.ts';
import { openStartOver } from '../under-way/start-overs.ts';
import { pairsIn } from '../venue-moves/book-payouts.ts';
import { PAID_WITHIN_MS } from '../venue-moves/book-redemptions.ts';

const EVERY_MS = 10_000;
/** A venue may list no position below a tenth of a share, and may have taken a twentieth of what was bought as its fee. */
const LISTED_FROM = 100_000;
const FEE_PART_MAX = 20;
/** Redemptions by the venue are booked once a minute, and their dollars may come by another transaction. */
const UNPAID_AFTER_MS = PAID_WITHIN_MS + 120_000;

type HoldingsVenue = {
  catalogue: Pick<Venue['catalogue'], 'marketsById' | 'eventsById'>;
  /** Null where the venue has no chain: its own list of positions is then believed. */
  chain: Pick<VenueChain, 'balances'> | null;
};

type HoldingsParts = {
  runtime: Runtime;
  venue: HoldingsVenue & { trading: Pick<VenueTrading, 'positions'> | null };
  /** Controls of the venue whose holdings are kept here. */
  controls: { venue: VenueName };
  quotes: Pick<Quotes, 'current'>;
  stream: StreamHub;
  partitions: Pick<Partitions, 'held'>;
};

type Asked = HoldingsVenue & { name: VenueName; runtime: Runtime; trading: Pick<VenueTrading, 'positions'> };

/** @returns a function that stops it */
export function startKeepingHoldings(parts: HoldingsParts): () => Promise<void> {
  const { runtime, partitions, venue } = parts;
  const { trading } = venue;
  if (trading === null || !runtime.config.roles.has('engine')) return async () => {};
  const asked = { runtime, ...venue, trading, name: parts.controls.venue };
  const failures = openFailureLog(runtime.log, 'warn', 'holdings not compared with the venue, repeated');
  const publisher = openBatchPublisher(parts);
  const owner = runtime.random.uuid();
  let before: Gone = new Map();
  const work = oneAtATime(async () => {
    // The end of a paper run sells the shares; they have not left by themselves.
    if (!isLeader(partitions) || (await openStartOver(runtime.db)) !== null) return;
    try {
      before = await keepHoldings(asked, { owner, publisher }, before);
      failures.succeeded();
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      failures.failed(error);
    }
  });
  const stop = runtime.timers.every(EVERY_MS, work);
  return async () => {
    stop();
    await work.ended();
  };
}

/** The missing shares of each order, and since when that number has stood. */
type Gone = ReadonlyMap<string, { shares: Shares; since: Instant }>;
type Writer = { owner: string; publisher: BatchPublisher };

/**
 * Missing shares count as gone at the second pass in a row, because a venue's positions may lag behind its trades; in a resolved market
 * once no dollars can come for them any more. @returns what is missing now
 * @throws VenueUnavailable
 */
async function keepHoldings(parts: Asked, writer: Writer, before: Gone): Promise<Gone> {
  const { db, clock } = parts.runtime;
  const lots = (await readLots(db, 'held')).filter(({ tokenId }) => venueOf(tokenId) === parts.name);
  if (lots.length === 0) return new Map();
  const listed = await parts.trading.positions('following');
  const values = await resolvedValues(parts.catalogue, lots, listed, 'following');
  const listedShares = new Map(listed.map(({ tokenId, shares }) => [tokenId, shares]));
  const now = clock.now();
  const missing = await missingOf(parts, lots.filter(mayBeGone(parts, values)), listedShares);
  const gone = new Map(
    [...missing].map(([orderId, shares]) => {
      const seen = before.get(orderId);
      return [orderId, { shares, since: seen?.shares === shares ? seen.since : now }];
    }),
  );
  const changed = lots.flatMap((lot): Change[] => {
    const { orderId, batchId } = lot;
    const { shares = lot.goneSize, since = now } = gone.get(orderId) ?? {};
    const waitMs = values.has(lot.tokenId) && shares > lot.goneSize ? UNPAID_AFTER_MS : 0;
    const isStable = before.get(orderId)?.shares === shares && now - since >= waitMs;
    const goneSize = isStable ? shares : lot.goneSize;
    const resolvedValue = lot.resolvedValue ?? values.get(lot.tokenId) ?? null;
    return [
      ...(goneSize === lot.goneSize ? [] : [{ orderId, batchId, set: { goneSize, goneAt: now } }]),
      ...(resolvedValue === lot.resolvedValue ? [] : [{ orderId, batchId, set: { resolvedValue, resolvedAt: now } }]),
    ];
  });
  for (const [batchId, own] of Map.groupBy(changed, (change) => change.batchId))
    await writeBatch(parts, writer, batchId, own);
  return gone;
}

/**
 * Missing shares of a resolved market do not count as gone if they lost, because a redemption takes them along, nor without a chain that
 * proves redemptions.
 */
function mayBeGone({ chain }: Pick<Asked, 'chain'>, values: ReadonlyMap<string, Price>) {
  return ({ tokenId }: OrderLot): boolean => {
    const value = values.get(tokenId);
    return value === undefined || (value > PRICE_ZERO && chain !== null);
  };
}

/** For each order its free shares that neither venue nor chain has; missing shares are taken from the newest orders first. */
async function missingOf(
  { runtime: { db }, chain }: Asked,
  lots: readonly OrderLot[],
  listed: ReadonlyMap<string, Shares>,
): Promise<ReadonlyMap<string, Shares>> {
  const taken = await readTaken(db);
  const short = chain === null ? new Set<string>() : shortTokens(lots, cutToChain(lots, listed, taken));
  const balances = chain === null || short.size === 0 ? null : await chain.balances([...short]);
  const there = chain === null ? withPairs(listed, lots) : new Map(listed);
  for (const [tokenId, shares] of balances?.shares ?? [])
    there.set(tokenId, Math.max(shares, there.get(tokenId) ?? 0) as Shares);
  const cut = cutToChain(lots, there, taken);
  const isShort = shortTokens(lots, cut);
  return new Map(
    lots.map(({ orderId, tokenId, shares }, place) => [
      orderId,
      isShort.has(tokenId) ? ((shares - (cut[place]?.shares ?? shares)) as Shares) : SHARES_ZERO,
    ]),
  );
}

/** Adds the pairs that a venue without contracts has netted: they are booked once no batch that still trades holds them. */
function withPairs(listed: ReadonlyMap<string, Shares>, lots: readonly OrderLot[]): Map<string, Shares> {
  const there = new Map(listed);
  for (const own of Map.groupBy(lots, ({ marketId }) => marketId).values()) {
    const pairs = pairsIn(own);
    for (const { tokenId } of pairs > 0 ? own : []) there.set(tokenId, ((listed.get(tokenId) ?? 0) + pairs) as Shares);
  }
  return there;
}

/** Tokens of which more is missing than a fee, or than a position too small to be listed, explains. */
function shortTokens(lots: readonly OrderLot[], there: readonly OrderLot[]): Set<string> {
  const sums = new Map<string, { held: number; missing: number; bought: number }>();
  for (const [place, { tokenId, shares, bought }] of lots.entries()) {
    const sum = sums.get(tokenId) ?? { held: 0, missing: 0, bought: 0 };
    const missing = shares - minShares(shares, there[place]?.shares ?? SHARES_ZERO);
    sums.set(tokenId, {
      held: sum.held + shares,
      missing: sum.missing + missing,
      bought: sum.bought + bought,
    });
  }
  const isShort = ({ held, missing, bought }: { held: number; missing: number; bought: number }) =>
    held >= LISTED_FROM && missing * FEE_PART_MAX > bought;
  return new Set([...sums].flatMap(([tokenId, sum]) => (isShort(sum) ? tokenId : [])));
}

type Change = Pick<OrderLot, 'orderId' | 'batchId'> & { set: Partial<typeof batchOrders.$inferInsert> };

/** Skips a batch that another transaction has locked; the next pass takes it up. */
async function writeBatch(
  { runtime }: Asked,
  { owner, publisher }: Writer,
  batchId: string,
  changes: readonly Change[],
): Promise<void> {
  const lease = await takeLease(runtime, owner, batchId);
  if (lease === null) return;
  try {
    await underLease(runtime, lease, async (tx) => {
      for (const { orderId, set } of changes) await tx.update(batchOrders).set(set).where(eq(batchOrders.id, orderId));
    });
    await releaseLease(runtime.db, lease);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    return;
  }
  const held = changes.map(({ orderId, set }) => ({ orderId, ...set }));
  runtime.log.info({ batch: batchId, orders: held }, 'holdings of a batch taken over from the venue');
  await publisher.publish(batchId);
}
