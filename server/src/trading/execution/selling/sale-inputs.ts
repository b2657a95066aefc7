import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Allowances } from '@dutchbook/engine/risk/allowance.ts';
import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { type TokenId, venueOf } from '@dutchbook/units/ids.ts';
import { addShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import { VenueBusy, type VenueCatalogue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { and, eq, inArray, min, notInArray, sql } from 'drizzle-orm';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import { verifiedQuotes } from '../../../market/prices/quotes/verified-quotes.ts';
import { openSingleFlight, type SingleFlight } from '../../../platform/http/single-flight.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchRecord, type BatchState, loadBatch, loadBatches } from '../../orders/batch-state.ts';
import { ACTIVE_STATUSES } from '../../orders/batch-store.ts';
import { type HeldOrder, heldByToken, heldOrders, positionOf, unsoldOf } from '../../orders/holdings.ts';
import { readOwnOrders } from '../../orders/own-orders.ts';
import { batches, batchOrders } from '../../orders/table.ts';
import { asPracticeLeavesThem } from '../../practice/taken.ts';
import { heldShares, isHolding, UNDER_WAY } from '../../under-way/rules.ts';

/** All of one batch, or what all batches that no longer buy hold of these tokens. */
export type SaleScope = { batchId: string } | { tokenIds: readonly TokenId[] };

/**
 * What is committed of batches that may be sold: of one, or of none to all of those that hold the tokens. `inSale`: of each token, the
 * shares in sell orders of any batch. `parted`: how many of the batches hold shares of other tokens too.
 */
export type SaleInputs = {
  batches: BatchRecord[];
  /** Whether the batch is simulated: its shares are not at the venue. */
  simulated: boolean;
  parted: number;
  held: HeldOrder[];
  inSale: ReadonlyMap<string, Shares>;
  /** Own orders of all batches; none for a simulated batch, whose orders never leave. */
  ownOrders: OwnOrder[];
};

/** The venue's part of the inputs: quotes of the held orders, in their order, and the account's shares of each token. */
export type VenueInputs = {
  quotes: LiveQuote[];
  holdings: ReadonlyMap<string, Shares>;
  /** Allowances of the venue's contracts by token, where the venue stated them. */
  allowances: ReadonlyMap<string, Allowances>;
};

export type VenueToAsk = {
  runtime: Runtime;
  quotes: Quotes;
  venue: { catalogue: Pick<VenueCatalogue, 'marketsById'>; trading: Holdings | null };
};

/** The account's shares at a venue, as the venue states them. */
type Holdings = Pick<VenueTrading, 'holding'>;

/** Who only looks at holdings, at each venue. */
const singleFlights = new WeakMap<Holdings, SingleFlight>();

/** More batches than an account holds of one event; those that bought last are left out. */
const BATCHES_MAX = 500;

/** null where there is no such batch. */
export async function readSaleInputs(db: Db, scope: SaleScope): Promise<SaleInputs | null> {
  if ('tokenIds' in scope) return await inputsOfTokens(db, scope.tokenIds);
  const state = await loadBatch(db, scope.batchId);
  if (state === null) return null;
  const { batch } = state;
  const inSale = await sharesInSale(db, batch);
  return inputsOf(db, [state], { held: heldOrders(state), inSale, parted: 0 });
}

/** Sale inputs of the tokens; of one token the oldest buys are sold first. */
async function inputsOfTokens(db: Db, tokenIds: readonly TokenId[]): Promise<SaleInputs> {
  const states = await loadBatches(db, inArray(batches.id, holdersOfTokens(db, tokenIds)));
  states.sort((one, other) => one.batch.createdAt - other.batch.createdAt || (one.batch.id < other.batch.id ? -1 : 1));
  const sold = new Set<string>(tokenIds);
  const all = states.map(heldOrders);
  const isSold = ({ order }: HeldOrder) => sold.has(order.tokenId);
  const parted = all.filter((held) => held.some((each) => !isSold(each) && each.holding.held > 0)).length;
  const inSale = await sharesInSale(db, { simulated: false });
  return await inputsOf(db, states, { held: all.flat().filter(isSold), inSale, parted });
}

async function inputsOf(
  db: Db,
  states: readonly BatchState[],
  given: Pick<SaleInputs, 'held' | 'inSale' | 'parted'>,
): Promise<SaleInputs> {
  const simulated = states.some(({ batch }) => batch.simulated);
  return {
    ...given,
    batches: states.map(({ batch }) => batch),
    simulated,
    ownOrders: simulated ? [] : await readOwnOrders(db),
  };
}

/** The ids of the batches, as the portfolio counts them, that hold shares of these tokens and buy no more. */
function holdersOfTokens(db: Db, tokenIds: readonly TokenId[]) {
  return db
    .select({ id: batchOrders.batchId })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        inArray(batchOrders.tokenId, [...tokenIds]),
        sql`${batchOrders.side} = 'buy' and ${batchOrders.filledSize} > ${batchOrders.soldSize}`,
        sql`${heldShares(sql`${batchOrders}`)} > 0 and ${isHolding(sql`${batches}`)} and not ${batches.simulated}`,
        notInArray(batches.status, [...ACTIVE_STATUSES]),
      ),
    )
    .groupBy(batchOrders.batchId)
    .orderBy(min(batchOrders.createdAt), batchOrders.batchId)
    .limit(BATCHES_MAX);
}

/** Simulated batches sell what is not there, each its own. */
async function sharesInSale(
  db: Db,
  { id = '', simulated }: { id?: string; simulated: boolean },
): Promise<Map<string, Shares>> {
  const selling = simulated ? eq(batches.id, id) : eq(batches.simulated, false);
  const tokens = new Map<string, Shares>();
  for (const state of await loadBatches(db, sql`(${batches.id} in (${UNDER_WAY}) and ${selling})`)) {
    for (const sale of state.sales) {
      const before = tokens.get(sale.tokenId) ?? SHARES_ZERO;
      tokens.set(sale.tokenId, addShares(before, unsoldOf(state, [sale])));
    }
  }
  return tokens;
}

/**
 * Of a simulated batch only the quotes are asked for. Of several venues the silence of one leaves its orders without a book to be
 * trusted, and those of the others can be sold. Throws VenueUnavailable where none answers.
 */
export async function askVenue(
  { runtime, quotes, venue }: VenueToAsk,
  inputs: SaleInputs,
  priority: ReadPriority,
): Promise<VenueInputs> {
  const { catalogue, trading } = venue;
  const [quoted, holdings] = await Promise.all([
    quotesByVenue({ quotes, catalogue }, inputs.held.map(positionOf), priority),
    inputs.simulated
      ? simulatedHoldings(inputs.held)
      : venueHoldings({ log: runtime.log, trading, priority }, inputs.held),
  ]);
  return { quotes: inputs.simulated ? await asPracticeLeavesThem(runtime.db, quoted) : quoted, ...holdings };
}

async function quotesByVenue(
  sources: Parameters<typeof verifiedQuotes>[0],
  positions: readonly Position[],
  priority: ReadPriority,
): Promise<LiveQuote[]> {
  const venues = [...Map.groupBy(positions.entries(), ([, { marketId }]) => venueOf(marketId)).values()];
  const asked = await Promise.allSettled(
    venues.map((own) =>
      verifiedQuotes(
        sources,
        own.map(([, position]) => position),
        priority,
      ),
    ),
  );
  const answers = asked.filter(({ status }) => status === 'fulfilled').length;
  const quoted: LiveQuote[] = [];
  for (const [nth, own] of venues.entries()) {
    const answer = asked[nth];
    if (answer?.status === 'rejected' && (answers === 0 || !isSilence(answer.reason))) throw answer.reason;
    const found = answer?.status === 'fulfilled' ? answer.value : untrusted(sources, own);
    for (const [at, [place]] of own.entries()) quoted[place] = found[at] as LiveQuote;
  }
  return quoted;
}

function isSilence(error: unknown): boolean {
  return error instanceof VenueUnavailable && !(error instanceof VenueBusy);
}

function untrusted({ quotes }: Parameters<typeof verifiedQuotes>[0], own: readonly [number, Position][]): LiveQuote[] {
  return quotes.current(own.map(([, position]) => position)).map((quote) => ({ ...quote, feed: 'stale' }));
}

function simulatedHoldings(held: readonly HeldOrder[]): Omit<VenueInputs, 'quotes'> {
  return { holdings: heldByToken(held), allowances: new Map() };
}

/**
 * Tokens of which the venue did not say what the account holds are left out. An answer of none where our own fills say
 * that there are some is taken for no answer: what is known is not erased by it.
 */
async function venueHoldings(
  { log, trading, priority }: Pick<Runtime, 'log'> & { trading: Holdings | null; priority: ReadPriority },
  held: readonly HeldOrder[],
): Promise<Omit<VenueInputs, 'quotes'>> {
  if (trading === null) return { holdings: new Map(), allowances: new Map() };
  const tokens = [...heldByToken(held)].filter(([, shares]) => shares > 0).map(([tokenId]) => tokenId);
  const answers = await Promise.all(tokens.map(async (tokenId) => [tokenId, await holdingOf(tokenId)] as const));
  const reported = answers.flatMap(([tokenId, answer]) => (answer === null ? [] : [{ tokenId, ...answer }]));
  return {
    holdings: new Map(reported.filter(({ shares }) => shares > 0).map(({ tokenId, shares }) => [tokenId, shares])),
    allowances: new Map(
      reported.flatMap(({ tokenId, allowances }) => (allowances === null ? [] : [[tokenId, allowances] as const])),
    ),
  };

  async function holdingOf(tokenId: TokenId) {
    if (trading === null) return null;
    try {
      return await readHolding(trading, tokenId, priority);
    } catch (error) {
      if (!(error instanceof VenueUnavailable) || error instanceof VenueBusy) throw error;
      log.warn({ tokenId, reason: error.message }, 'holding not read for a sale');
      return null;
    }
  }
}

/** Display reads of one token share a call of the venue that begins after all of them; a sale reads for itself. */
function readHolding(trading: Holdings, tokenId: TokenId, priority: ReadPriority): ReturnType<VenueTrading['holding']> {
  const read = () => trading.holding(tokenId, priority);
  if (priority !== 'display') return read();
  const shared = singleFlights.get(trading) ?? openSingleFlight();
  singleFlights.set(trading, shared);
  return shared(tokenId, read);
}

/** Free shares of each token: those held, less those being sold. */
export function freeByToken({ holdings }: VenueInputs, { inSale }: SaleInputs): Map<string, Shares> {
  return new Map(
    [...holdings].map(([tokenId, shares]) => {
      const gone = inSale.get(tokenId) ?? SHARES_ZERO;
      return [tokenId, gone < shares ? subtractShares(shares, gone) : SHARES_ZERO];
    }),
  );
}
