import { addShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { type VenueCatalogue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { and, eq, sql } from 'drizzle-orm';
import { type BatchRow, readBatch } from '../../batches/store.ts';
import type { Quotes, TrustedQuote } from '../../parts.ts';
import { batches } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';
import { vouchedQuotes } from '../quotes/vouched-quotes.ts';
import { type HeldOrder, heldOrders, storedOrders, unsoldOf } from './holdings.ts';
import { heldByToken, positionOf } from './sellable.ts';

/** What is committed of a batch that may be sold. `inSale`: of each token, the shares in sell orders of any batch. */
export type SaleFacts = { batch: BatchRow; held: HeldOrder[]; inSale: ReadonlyMap<string, Shares> };

/** What the venue says: the quotes of the held orders, in their order, and what the account holds of each token. */
export type VenueFacts = { quotes: TrustedQuote[]; holdings: ReadonlyMap<string, Shares> };

export type VenueToAsk = {
  world: World;
  quotes: Quotes;
  venue: { catalogue: Pick<VenueCatalogue, 'marketsById'>; trading: VenueTrading | null };
};

/** Any number that no other advisory lock of the product uses. */
const SELLING_LOCK = 91_433_077;

/** Until the transaction ends, no other decides what the same shares are sold for. */
export async function lockSelling(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SELLING_LOCK})`);
}

/** null where there is no such batch. */
export async function readSaleFacts(db: Db, batchId: string): Promise<SaleFacts | null> {
  const batch = await readBatch(db, batchId);
  if (batch === null) return null;
  return { batch, held: await heldOrders(db, [batchId]), inSale: await sharesInSale(db, batch) };
}

/** Simulated batches sell what is not there, each its own. */
async function sharesInSale(db: Db, { id, simulated }: BatchRow): Promise<Map<string, Shares>> {
  const selling = await db
    .select({ id: batches.id })
    .from(batches)
    .where(
      and(eq(batches.saleUnderWay, true), eq(batches.simulated, simulated), simulated ? eq(batches.id, id) : undefined),
    );
  const stored = await storedOrders(
    db,
    selling.map((batch) => batch.id),
  );
  const tokens = new Map<string, Shares>();
  for (const sale of stored.orders.filter(({ side }) => side === 'sell')) {
    const before = tokens.get(sale.tokenId) ?? SHARES_ZERO;
    tokens.set(sale.tokenId, addShares(before, unsoldOf(stored, [sale])));
  }
  return tokens;
}

/** Of a simulated batch only the quotes are asked for. Throws VenueUnavailable where there are none to be had. */
export async function askVenue({ world, quotes, venue }: VenueToAsk, facts: SaleFacts): Promise<VenueFacts> {
  const { catalogue, trading } = venue;
  const [quoted, holdings] = await Promise.all([
    vouchedQuotes({ quotes, catalogue }, facts.held.map(positionOf)),
    facts.batch.simulated ? heldByToken(facts.held) : venueHoldings(world, trading, facts.held),
  ]);
  return { quotes: quoted, holdings };
}

/**
 * Tokens of which the venue did not say what the account holds are left out. An answer of none where our own fills say
 * that there are some is taken for no answer: what is known is not erased by it.
 */
async function venueHoldings(
  { log }: Pick<World, 'log'>,
  trading: VenueTrading | null,
  held: readonly HeldOrder[],
): Promise<Map<string, Shares>> {
  if (trading === null) return new Map();
  const tokens = [...heldByToken(held)].filter(([, shares]) => shares > 0).map(([tokenId]) => tokenId);
  const answers = await Promise.all(tokens.map(async (tokenId) => [tokenId, await holdingOf(tokenId)] as const));
  return new Map(answers.flatMap(([tokenId, shares]) => (shares === null || shares === 0 ? [] : [[tokenId, shares]])));

  async function holdingOf(tokenId: string): Promise<Shares | null> {
    try {
      return (await trading?.holding(tokenId)) ?? null;
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.warn({ tokenId, reason: error.message }, 'the venue did not say how many shares are held');
      return null;
    }
  }
}

/** What of each token may be sold: what is held, less what is being sold. */
export function freeByToken({ holdings }: VenueFacts, { inSale }: SaleFacts): Map<string, Shares> {
  return new Map(
    [...holdings].map(([tokenId, shares]) => {
      const gone = inSale.get(tokenId) ?? SHARES_ZERO;
      return [tokenId, gone < shares ? subtractShares(shares, gone) : SHARES_ZERO];
    }),
  );
}
