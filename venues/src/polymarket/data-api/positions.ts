import type { TokenId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, PRICE_ZERO, type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromNumber, sharesFromText } from '@dutchbook/units/shares.ts';
import { z } from 'zod';
import type { ReadPriority } from '../../read-budget.ts';
import type { JsonApi, Query } from '../../transport.ts';
import { type VenueLog, type VenuePosition, VenueUnavailable } from '../../venue.ts';
import { type Secrets, unavailable } from '../errors.ts';

/** What the venue takes is 1,000. */
const PAGE_LIMIT = '500';
/** A page may be short or empty and not the last. */
const PAGES_MAX = 200;
const POSITIONS_MAX = 20_000;
const HALF = PRICE_ONE / 2;

const page = z.object({
  data: z.array(z.unknown()).nullable(),
  pagination: z.object({ has_more: z.boolean(), next_cursor: z.string().min(1).max(8_192).nullable() }),
});

/** Amounts are JSON numbers; text is taken as well. */
const row = z.object({
  proxy_wallet: z.string(),
  token_id: z.string().regex(/^\d{1,78}$/),
  condition_id: z.string().regex(/^0x[0-9a-f]{1,64}$/i),
  outcome: z.string().max(200).nullish(),
  current_size: z.union([z.number(), z.string()]),
  current_price: z.number().nullish(),
  redeemable: z.boolean(),
});

/** The fields that name an unreadable row. */
const namesOfRow = z.object({ token_id: z.string().max(78) });

/** What reading positions needs. The data API is public: it answers about any wallet, without a key. */
export type PositionsContext = {
  api: JsonApi;
  wallet: string;
  /** What the catalogue calls a token's market, where it knows it: some ids come with a zero byte more. */
  marketOf: (tokenId: TokenId) => string | undefined;
  secrets: Secrets;
  log: VenueLog;
};

type Reading = { held: Map<string, VenuePosition>; unreadable: Map<string, string> };

/**
 * Reads all that a wallet holds, as the data API tells it: a few seconds behind the chain, and nothing below a tenth of a
 * share. Rows that cannot be read are left out and reported, once as long as they stay the same.
 */
export function openPositions(context: PositionsContext): (priority: ReadPriority) => Promise<VenuePosition[]> {
  let reported = '';
  return async (priority) => {
    try {
      const { held, unreadable } = await readAll(context, priority);
      const names = [...unreadable.keys()].sort().join(' ');
      if (names !== reported && unreadable.size > 0) {
        const [[tokenId, reason] = ['', '']] = unreadable;
        context.log.warn({ count: unreadable.size, tokenId, reason }, 'positions left out that could not be read');
      }
      reported = names;
      return [...held.values()];
    } catch (error) {
      throw unavailable('reading the positions', error, context.secrets);
    }
  };
}

/** A position that changes between two pages may stand on both: the page that was read last is right. */
async function readAll(context: PositionsContext, priority: ReadPriority): Promise<Reading> {
  const reading: Reading = { held: new Map(), unreadable: new Map() };
  // Open positions include those of resolved markets, won or lost; the order is the one that prices do not change.
  const wanted: Query = { user: context.wallet, status: 'OPEN', include_archived: 'true', sort_by: 'TOKENS' };
  const cursors = new Set<string>();
  for (let query: Query = { ...wanted, limit: PAGE_LIMIT }, pages = 0; pages < PAGES_MAX; pages++) {
    const { rows, nextCursor } = readPage(await context.api.get('/v2/positions', query, { priority }));
    for (const raw of rows) keep(raw, context, reading);
    if (reading.held.size + reading.unreadable.size > POSITIONS_MAX)
      throw new VenueUnavailable(`the account holds more than ${POSITIONS_MAX} positions`);
    if (nextCursor === null) return reading;
    if (cursors.has(nextCursor)) throw new VenueUnavailable('the pages of the positions do not move on');
    cursors.add(nextCursor);
    query = { ...wanted, cursor: nextCursor };
  }
  throw new VenueUnavailable(`the positions did not end after ${PAGES_MAX} pages`);
}

function readPage(answer: unknown): { rows: unknown[]; nextCursor: string | null } {
  const parsed = page.safeParse(answer);
  if (!parsed.success) throw new VenueUnavailable('the venue did not answer with a page of positions');
  const { data, pagination } = parsed.data;
  // A page that is cut short must not pass for the last one.
  if (pagination.has_more !== (pagination.next_cursor !== null))
    throw new VenueUnavailable('a page of positions does not say whether there are more');
  return { rows: data ?? [], nextCursor: pagination.next_cursor };
}

function keep(raw: unknown, context: PositionsContext, { held, unreadable }: Reading): void {
  try {
    const position = readPosition(raw, context);
    if (position.shares > 0) held.set(position.tokenId, position);
    else held.delete(position.tokenId);
  } catch (error) {
    const { secrets } = context;
    const names = namesOfRow.safeParse(raw);
    const tokenId = names.success ? names.data.token_id : '';
    unreadable.set(secrets.clean(tokenId || JSON.stringify(raw)), secrets.clean(reasonOf(error)));
  }
}

/** @throws when it is none, or one of another wallet */
function readPosition(raw: unknown, { wallet, marketOf }: PositionsContext): VenuePosition {
  const wire = row.parse(raw);
  if (wire.proxy_wallet.toLowerCase() !== wallet.toLowerCase()) throw new Error('it is of another wallet');
  return {
    marketId: marketOf(wire.token_id) ?? wire.condition_id,
    tokenId: wire.token_id,
    outcome: wire.outcome ?? '',
    shares: sharesOf(wire.current_size),
    redeemable: wire.redeemable,
    resolvedValue: wire.redeemable ? paidBy(wire.current_price) : null,
  };
}

/** The chain counts millionths, so that the nearest one is what a number stands for. */
function sharesOf(size: number | string): Shares {
  return typeof size === 'string' ? sharesFromText(size) : sharesFromNumber(size);
}

/** The venue marks a resolved position at what it pays; any other mark is one that has not followed yet. */
function paidBy(mark: number | null | undefined): Price | null {
  if (mark === null || mark === undefined || !(mark >= 0 && mark <= 1)) return null;
  const price = priceFromNumber(mark);
  return price === PRICE_ZERO || price === HALF || price === PRICE_ONE ? price : null;
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `field ${error.issues[0]?.path.join('.') || '?'} is not as documented`;
  return error instanceof Error ? error.message : String(error);
}
