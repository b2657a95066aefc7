/** The latest of what the desk has done, newest first, of every part of it. */
import { ACTIVITY_MAX, type Activity, type readOverview } from '@dutchbook/contract/status.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { addUsd, formatUsd, USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { and, desc, eq, gt, inArray, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { nameOfRow } from '../market/opportunities/present.ts';
import { opportunities, opportunityPrices } from '../market/opportunities/table.ts';
import { NOT_PLACED } from '../market/prices/trigger.ts';
import { notifications } from '../people/notifications/table.ts';
import type { Db } from '../platform/runtime/runtime.ts';
import { broughtBy } from '../trading/ledger/store.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { batches, batchOrders } from '../trading/orders/table.ts';

/** The kind of activity that a notification is shown as, by its type. */
const KINDS = {
  opportunity_triggered: 'triggered',
  order_placed: 'bought',
  batch_completed: 'filled',
  batch_partial: 'filled',
  batch_failed: 'filled',
  batch_sold: 'cash',
} as const;
type Told = keyof typeof KINDS;

/** Calls of contracts that turn shares into dollars. */
const CASH_WORDS = {
  merge: 'came from whole sets that were merged',
  convert: 'came from shares that were converted',
  redeem: 'was paid for shares of a resolved market',
  closed: 'came from shares that were closed at the end of the run',
} as const satisfies Partial<Record<LedgerKind, string>>;
type CashKind = keyof typeof CASH_WORDS;

export async function readActivity(db: Db): Promise<Activity[]> {
  const parts = [await readTold(db), await readFound(db), await readCash(db)];
  return parts
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, ACTIVITY_MAX);
}

async function readTold(db: Db): Promise<Activity[]> {
  const rows = await db
    .select()
    .from(notifications)
    .where(inArray(notifications.notificationType, Object.keys(KINDS) as Told[]))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(ACTIVITY_MAX);
  return rows.map(({ id, createdAt, notificationType, message, opportunityId, data }) => {
    const batchId = typeof data.batch_id === 'string' ? data.batch_id : null;
    const entry = { id, at: createdAt, text: message, usd: null, opportunity_id: opportunityId, batch_id: batchId };
    const kind = KINDS[notificationType as Told];
    if (kind === 'triggered') return { ...entry, ...triggered(message) };
    const { actual_profit_usd: profit } = data;
    return { ...entry, kind, usd: typeof profit === 'number' ? usdFromNumber(profit) : null };
  });
}

/** A trigger on which nothing was bought is a refusal, and its reason is what counts. */
function triggered(message: string): Pick<Activity, 'kind' | 'text'> {
  const [said = '', reason] = message.split(NOT_PLACED);
  const rise = said.split('. Now ')[0] ?? said;
  return reason === undefined ? { kind: 'triggered', text: rise } : { kind: 'refused', text: `${rise}. ${reason}` };
}

async function readFound(db: Db): Promise<Activity[]> {
  const rows = await db
    .select({
      ...{ id: opportunities.id, at: opportunities.createdAt, about: opportunityPrices.about },
      ...{ sourceDetails: opportunities.sourceDetails, marketCombinations: opportunities.marketCombinations },
    })
    .from(opportunities)
    .innerJoin(opportunityPrices, eq(opportunityPrices.opportunityId, opportunities.id))
    .where(isNotNull(opportunities.relationId))
    .orderBy(desc(opportunities.createdAt), desc(opportunities.id))
    .limit(ACTIVITY_MAX);
  return rows.map(({ id, at, ...row }) => ({
    ...{ id, at, kind: 'found' as const, text: nameOfRow(row), usd: null, opportunity_id: id, batch_id: null },
  }));
}

/** A call has an entry for each order, so more entries are read than activities: most calls are read whole. */
export const ENTRIES_READ = 8 * ACTIVITY_MAX;

/** What a call brought a batch is one thing that was done. */
async function readCash(db: Db): Promise<Activity[]> {
  const { id, at, kind, lines, batchId, submissionId } = ledgerEntries;
  const rows = await db
    .select({ id, at, kind, lines, batchId, submissionId, name: batches.name })
    .from(ledgerEntries)
    .leftJoin(batches, eq(batches.id, batchId))
    .where(inArray(kind, Object.keys(CASH_WORDS) as CashKind[]))
    .orderBy(desc(at), desc(id))
    .limit(ENTRIES_READ);
  const keyOf = (row: (typeof rows)[number]) => [row.kind, row.submissionId ?? row.id, row.batchId].join(' ');
  const calls = Map.groupBy(rows, keyOf);
  // At the limit the oldest call may be cut off, and its sum too small: it is left out.
  const oldest = rows[ENTRIES_READ - 1];
  if (oldest !== undefined && calls.size > 1) calls.delete(keyOf(oldest));
  return [...calls.values()].flatMap((entries): Activity[] => {
    const [latest] = entries;
    const usd = entries.reduce((sum, entry) => addUsd(sum, broughtBy(entry.lines)), USD_ZERO);
    if (latest === undefined || usd <= 0) return [];
    const said = `${formatUsd(usd)} ${CASH_WORDS[latest.kind as CashKind]}`;
    return [
      {
        ...{ id: `ledger-${latest.id}`, at: latest.at, kind: 'cash', usd, opportunity_id: null },
        text: latest.name === null ? said : `${latest.name}: ${said}`,
        batch_id: latest.batchId,
      },
    ];
  });
}

type FirstSteps = z.output<typeof readOverview.reply>['first_steps'];

/** Which of the first steps the desk has ever made; a simulated batch is no purchase. */
export async function readFirstSteps(db: Db): Promise<FirstSteps> {
  const bought = and(eq(batches.simulated, false), isNotNull(batches.actualProfit));
  const [steps] = await db
    .select({
      found: anyOf(db.select({ one }).from(opportunities)),
      judged: anyOf(db.select({ one }).from(notifications).where(eq(notifications.notificationType, TRIGGERED))),
      bought: anyOf(db.select({ one }).from(batches).where(bought)),
      exited: anyOf(
        db
          .select({ one })
          .from(batchOrders)
          .where(and(eq(batchOrders.side, 'sell'), gt(batchOrders.filledSize, sql`0`))),
      ),
    })
    .from(sql`(select 1) desk`);
  if (steps === undefined) throw new Error('a select without a table answered no row');
  return { ...steps, judged: steps.judged || steps.bought };
}

const TRIGGERED: Told = 'opportunity_triggered';
const one = sql`1`.as('one');

function anyOf(rows: SQLWrapper): SQL<boolean> {
  return sql<boolean>`exists (${rows})`;
}
