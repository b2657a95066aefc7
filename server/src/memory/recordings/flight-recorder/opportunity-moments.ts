import type { PolicyThen, readOpportunityMoments, SetMoment } from '@dutchbook/contract/flight-recorder.ts';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type Assessment, assess } from '@dutchbook/engine/desk/assess.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { type Position, resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { MeasuredSurvival } from '@dutchbook/engine/order/survival.ts';
import { RecordedSurvival } from '@dutchbook/engine/rehearsal/recorded-survival.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { addUsd } from '@dutchbook/units/usd.ts';
import { and, eq, gte, isNull, lte, or } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { JournaledAccount, JournaledOpportunity } from '../../../market/decision-journal/journaled.ts';
import { type JournalRow, journalAt, journalBetween } from '../../../market/decision-journal/read.ts';
import type { LiveQuote, Quotes } from '../../../market/markets/live-quotes.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import { readOpportunities } from '../../../market/opportunities/store.ts';
import { deskSettings, pricingSettings } from '../../../people/system-settings/in-units.ts';
import { NotFound } from '../../../platform/http/errors.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { batches } from '../../../trading/orders/table.ts';
import { readKnown } from '../../../trading/survival/store.ts';
import { findRecords } from '../find-records.ts';
import type { Recordings } from '../recordings.ts';
import { collectMoments, type Span } from './collect.ts';
import { byMoment, type PastBooks, withTail } from './past-books.ts';
import { quoteThen } from './quote-then.ts';
import { withJournal } from './with-journal.ts';

export type Past = {
  db: Db;
  recordings: Pick<Recordings, 'venue' | 'folder' | 'recordedUntil'>;
  quotes: Pick<Quotes, 'current'>;
};

type Known = {
  opportunity: JournaledOpportunity | null;
  settings: Settings | null;
  account: JournaledAccount | null;
  markets: Map<MarketId, Market>;
};

type SaidOfSet = Omit<SetMoment, 'at' | 'legs'>;
type OpportunityMoments = z.output<typeof readOpportunityMoments.reply>;

/** @throws NotFound where nothing of it is known, neither now nor then */
export async function opportunityMoments(
  past: Past,
  id: string,
  asked: Span,
  signal: AbortSignal,
): Promise<OpportunityMoments> {
  const { db, recordings, quotes } = past;
  const { venue, folder } = recordings;
  const { positions, opportunity, edits } = await positionsThen(past, id, asked);
  const edit = edits.find((row) => row.data !== null && !isSame(row.data.positions, positions));
  // What was bought was another set from then on, whose legs the next answer has.
  const span = edit === undefined ? asked : { ...asked, until: instantFromMs(edit.at - 1) };
  const wanted = { settings: null, account: null, market: positions.map(({ marketId }) => marketId) };
  const then = await journalAt(db, venue, span.from, wanted);
  const known: Known = {
    opportunity,
    settings: then.settings.get('') ?? null,
    account: then.account.get('') ?? null,
    markets: then.market,
  };
  const rows: JournalRow[] = [];
  for await (const row of journalBetween(db, venue, span.from, span.until, { ...wanted, opportunity: [id] })) {
    rows.push(row);
  }
  const now = quotes.current(positions);
  const legs = positions.map((position, index) => {
    const market = known.markets.get(position.marketId) ?? now[index]?.market ?? marketIn(rows, position.marketId);
    const token = resolvePosition(position, market);
    return {
      said: {
        ...{ leg: position.leg, market_id: position.marketId, outcome: position.outcome },
        market_name: market?.question ?? position.marketId,
        token_id: token.kind === 'resolved' ? token.tokenId : null,
      },
      market,
    };
  });
  const tokenIds = legs.map(({ said }) => said.token_id);
  const recordedUntil = await recordings.recordedUntil();
  const survival = new RecordedSurvival(await readKnown(db, span.from, span.from)).at(span.from);
  const activeBatch = await activeBatches(db, id, span);
  const quotesAt = (books: PastBooks, at: Instant) =>
    positions.map((position, index) => {
      const tokenId = legs[index]?.said.token_id ?? null;
      return quoteThen(
        position,
        { tokenId, market: known.markets.get(position.marketId) ?? legs[index]?.market },
        books,
        at,
      );
    });
  const read = { folder, tokenIds: new Set(tokenIds.filter((tokenId) => tokenId !== null)), ...span };
  const steps = withJournal(byMoment(findRecords(read), signal), rows, span.from, (row) => take(known, row));
  const collected = await collectMoments(steps, tokenIds, span, (books, at) =>
    saySet(known, at, quotesAt(books, at), activeBatch(at), survival),
  );
  const next = collected.next ?? edit?.at ?? null;
  return {
    legs: legs.map(({ said }) => said),
    moments: collected.moments,
    unknown: withTail(collected.unknown, { from: span.from, until: next ?? span.until, recordedUntil }),
    next,
  };
}

/** As it was then; where nothing says how, as it was first after that, or is now. */
async function positionsThen({ db, recordings: { venue } }: Past, id: string, { from, until }: Span) {
  const opportunity = (await journalAt(db, venue, from, { opportunity: [id] })).opportunity.get(id) ?? null;
  const rows: (JournalRow & { topic: 'opportunity' })[] = [];
  for await (const row of journalBetween(db, venue, from, until, { opportunity: [id] })) {
    if (row.topic === 'opportunity') rows.push(row);
  }
  const stated = opportunity ?? rows.find(({ data }) => data !== null)?.data;
  if (stated !== undefined && stated !== null) return { positions: stated.positions, opportunity, edits: rows };
  const [row] = await readOpportunities(db, [id]);
  if (row === undefined) throw new NotFound('Opportunity not found');
  return { positions: positionsOf(row.marketCombinations), opportunity, edits: rows };
}

function isSame(one: readonly Position[], other: readonly Position[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function marketIn(rows: readonly JournalRow[], marketId: MarketId): Market | undefined {
  const row = rows.find(({ topic, subject, data }) => topic === 'market' && subject === marketId && data !== null);
  return row?.topic === 'market' ? (row.data ?? undefined) : undefined;
}

function take(known: Known, { topic, subject, data }: JournalRow): void {
  if (topic === 'settings') known.settings = data;
  else if (topic === 'account') known.account = data;
  else if (topic === 'opportunity') known.opportunity = data;
  else if (topic === 'market' && data !== null) known.markets.set(subject, data);
}

const NOTHING_SAID = {
  current_price: null,
  fees_per_set: null,
  profit_percentage: null,
  refusals: null,
  policies: null,
};
const POLICIES = Object.keys(SETTINGS.SIZE_POLICY.options) as Settings['SIZE_POLICY'][];

function saySet(
  { opportunity, settings, account }: Known,
  now: Instant,
  quotes: readonly LiveQuote[],
  activeBatchId: string | null,
  survival: MeasuredSurvival,
): SaidOfSet {
  if (opportunity === null) return { ...NOTHING_SAID, reason: 'Nothing says that it was followed then' };
  if (settings === null) return { ...NOTHING_SAID, reason: 'Nothing says what the settings were then' };
  const { targetPrice, relationId, basis = null } = opportunity;
  const value = valueOpportunity(quotes, targetPrice, pricingSettings(settings));
  const refusals = account === null ? null : refusalsOf(account, settings);
  if (value.kind === 'unpriced') return { ...NOTHING_SAID, refusals, reason: value.reason };
  const { currentPrice, feesPerSet, profitPct } = value;
  return {
    ...{ current_price: currentPrice, fees_per_set: feesPerSet, profit_percentage: profitPct },
    ...{ refusals, reason: null },
    policies: account === null ? null : profitPct > 0 ? POLICIES.map(chosenBy(account, settings)) : [],
  };

  function refusalsOf(stood: JournaledAccount, settingsThen: Settings) {
    return assessed(stood, settingsThen).blockers.map(({ gate, message }) => ({ gate, message }));
  }

  function chosenBy(stood: JournaledAccount, settingsThen: Settings) {
    return (policy: PolicyThen['policy']): PolicyThen => {
      const { plan, chosen } = assessed(stood, { ...settingsThen, SIZE_POLICY: policy });
      if (chosen === null) throw new Error('an order of whole sets has a size');
      return {
        policy,
        ...{ order_size: plan.size, bounded_by: chosen.boundedBy, allowed: chosen.isAllowed },
        total_cost_usd: addUsd(plan.totalCost, plan.totalFees),
        ...{ expected_profit_usd: plan.expectedProfit, worst_case_loss_usd: plan.worstCaseLoss },
      };
    };
  }

  function assessed(stood: JournaledAccount, settingsThen: Settings): Assessment {
    return assess({
      opportunity: { active: true, targetPrice, relationId, basis },
      ...{ quotes, now, activeBatchId, survival, size: null, quotedPrice: null, automatic: true },
      settings: deskSettings(settingsThen),
      ...stood,
    });
  }
}

/** Which batch of it was carried out at a moment, if any; the one that was just decided then is not in its own way. */
async function activeBatches(db: Db, opportunityId: string, { from, until }: Span) {
  const rows = await db
    .select({ id: batches.id, since: batches.createdAt, until: batches.executionCompletedAt, status: batches.status })
    .from(batches)
    .where(
      and(
        eq(batches.opportunityId, opportunityId),
        lte(batches.createdAt, until),
        or(isNull(batches.executionCompletedAt), gte(batches.executionCompletedAt, from)),
      ),
    );
  return (at: Instant): string | null =>
    rows.find((row) => row.since < at && (row.until === null ? isActive(row.status) : row.until > at))?.id ?? null;
}
