import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type HistoryPoint, PRICES_BEFORE_MS, type readPricesBefore } from '@dutchbook/contract/valuation.ts';
import { resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type * as z from 'zod/mini';
import { POINT_SPACING_MS } from '../../../market/opportunities/history/store.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import { readOpportunity } from '../../../market/opportunities/store.ts';
import { pricingSettings } from '../../../people/system-settings/in-units.ts';
import { NotFound } from '../../../platform/http/errors.ts';
import type { Clock } from '../../../platform/runtime/runtime.ts';
import { findRecords } from '../find-records.ts';
import type { Span } from './collect.ts';
import type { Past } from './opportunity-moments.ts';
import { byMoment, PastBooks } from './past-books.ts';
import { quoteThen } from './quote-then.ts';

/** Recordings are read forwards, in parts of this length, the newest part first. */
const PART_MS = 600_000;
/** No further part is begun after this time: a chart is waited for. */
const READING_MS = 3_000;

type Parts = Past & { settings: Settings; clock: Clock };
type PriceThen = Pick<HistoryPoint, 'current_price' | 'profit_percentage'>;

/** @throws NotFound */
export async function pricesBefore(
  { db, recordings, quotes, settings, clock }: Parts,
  id: string,
  signal: AbortSignal,
): Promise<z.output<typeof readPricesBefore.reply>> {
  const row = await readOpportunity(db, id);
  if (row === null) throw new NotFound('Opportunity not found');
  const { createdAt, targetPrice } = row;
  const positions = positionsOf(row.marketCombinations);
  const now = quotes.current(positions);
  const legs = positions.map((position, index) => {
    const market = now[index]?.market;
    const token = resolvePosition(position, market);
    return { position, market, tokenId: token.kind === 'resolved' ? token.tokenId : null };
  });
  const tokenIds = new Set(legs.flatMap(({ tokenId }) => (tokenId === null ? [] : [tokenId])));
  const priceThen = (books: PastBooks, at: Instant): PriceThen => {
    const quoted = legs.map(({ position, ...token }) => quoteThen(position, token, books, at));
    const value = valueOpportunity(quoted, targetPrice, pricingSettings(settings));
    if (value.kind === 'unpriced') return { current_price: null, profit_percentage: null };
    return { current_price: value.currentPrice, profit_percentage: value.profitPct };
  };
  const oldest = createdAt - PRICES_BEFORE_MS;
  const beganAt = clock.now();
  let since = createdAt;
  let data: HistoryPoint[] = [];
  while (since > oldest && clock.now() - beganAt < READING_MS) {
    const part = { from: instantFromMs(Math.max(oldest, since - PART_MS)), until: since };
    const steps = byMoment(findRecords({ folder: recordings.folder, tokenIds, ...part }), signal);
    const points = await sampled(steps, new PastBooks(tokenIds, part.from), part, priceThen);
    data = [...points.map((point) => ({ ...point, target_price: targetPrice, triggered: false })), ...data];
    since = part.from;
  }
  return { since, data: data.filter(isNews) };
}

/** Whether it says something else than the point before it; a history does not begin with a price that is not known. */
function isNews({ current_price: price, profit_percentage: profit }: HistoryPoint, nth: number, all: HistoryPoint[]) {
  const before = all[nth - 1];
  if (before === undefined) return price !== null;
  return before.current_price !== price || before.profit_percentage !== profit;
}

/** A change within the spacing is a point at its end, as it stands by then. */
async function sampled(
  steps: ReturnType<typeof byMoment>,
  books: PastBooks,
  { from, until }: Span,
  priceThen: (books: PastBooks, at: Instant) => PriceThen,
): Promise<(PriceThen & { at: Instant })[]> {
  const points: (PriceThen & { at: Instant })[] = [];
  let dueAt = from;
  let hasChanged = false;
  const note = (at: Instant) => {
    points.push({ at, ...priceThen(books, at) });
    dueAt = instantFromMs(at + POINT_SPACING_MS);
    hasChanged = false;
  };
  for await (const { at, records } of steps) {
    if (at >= until) break;
    if (hasChanged && at > dueAt) note(dueAt);
    books.apply(records);
    if (at >= dueAt) note(at);
    else hasChanged = true;
  }
  if (hasChanged && dueAt < until) note(dueAt);
  return points;
}
