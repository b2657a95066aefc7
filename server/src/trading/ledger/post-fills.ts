/** Writes the entries of fills, in the transaction that records what has become of these. */
import { entryOfFill, ledgerStateOf } from '@dutchbook/engine/ledger/entries-of-fills.ts';
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { insertOf, rowsOf } from '../../platform/database/many-rows.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type BatchState, type FillRecord, loadBatch, type OrderRecord } from '../orders/batch-state.ts';
import { batches, fills, notInLedger } from '../orders/table.ts';
import { ledgerEntries } from './table.ts';

type NewEntry = typeof ledgerEntries.$inferInsert;

/** How many batches of older versions are taken up at once. */
const BATCHES_OF_SWEEP = 100;

/**
 * The caller holds the row of the batch. `before`: its fills as the transaction found them. A batch of which nothing new has been
 * reported costs no statement.
 */
export async function postFills(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  before: readonly FillRecord[],
  state: BatchState,
): Promise<void> {
  const now = clock.now();
  await post(tx, before, state, () => now);
}

/** Enters fills recorded before there was a ledger, dated by their time. @returns whether there may be more */
export async function postOlderFills(db: Db): Promise<boolean> {
  const due = await db
    .selectDistinct({ id: fills.batchId })
    .from(fills)
    .where(notInLedger(fills))
    .limit(BATCHES_OF_SWEEP);
  for (const { id } of due) {
    await db.transaction(async (tx) => {
      // Every process that records fills holds this row.
      await tx.select({ id: batches.id }).from(batches).where(eq(batches.id, id)).for('update');
      const state = await loadBatch(tx, id);
      if (state !== null) await post(tx, [], state, ({ settledAt, matchedAt }) => settledAt ?? matchedAt);
    });
  }
  return due.length === BATCHES_OF_SWEEP;
}

async function post(
  tx: Db,
  before: readonly FillRecord[],
  state: BatchState,
  atOf: (fill: FillRecord) => Instant,
): Promise<void> {
  const known = new Map(before.map((fill) => [keyOf(fill), fill]));
  const due = state.fills.filter((fill) => isDue(fill, known.get(keyOf(fill))));
  if (due.length === 0) return;
  const entries = state.batch.simulated ? [] : await entriesOf(tx, state, due, atOf);
  const states = due.map(({ tradeId, orderHash, settlement }) => {
    const inLedger = state.batch.simulated ? ('simulated' as const) : ledgerStateOf(settlement);
    return { tradeId, orderHash, inLedger };
  });
  const marked = sql`update ${fills} set in_ledger = v.in_ledger from ${rowsOf(fills, states)} v
    where ${fills.tradeId} = v.trade_id and ${fills.orderHash} = v.order_hash`;
  await executeNamed(
    tx,
    entries.length === 0 ? marked : sql`with posted as (${insertOf(ledgerEntries, entries)}) ${marked}`,
  );
  for (const [place, fill] of due.entries()) fill.inLedger = states[place]?.inLedger ?? null;
}

function keyOf({ tradeId, orderHash }: Pick<FillRecord, 'tradeId' | 'orderHash'>): string {
  return `${tradeId} ${orderHash}`;
}

/** Whether the fill is further than its entries, or was reported with other amounts since. */
function isDue(fill: FillRecord, known: FillRecord | undefined): boolean {
  if (fill.inLedger === 'simulated') return false;
  if (fill.inLedger !== ledgerStateOf(fill.settlement)) return true;
  return known !== undefined && (known.size !== fill.size || known.cost !== fill.cost || known.fee !== fill.fee);
}

async function entriesOf(
  tx: Db,
  state: BatchState,
  due: readonly FillRecord[],
  atOf: (fill: FillRecord) => Instant,
): Promise<NewEntry[]> {
  const orders = new Map([...state.orders, ...state.received, ...state.sales].map((order) => [order.id, order]));
  const orderIds = new Map(state.attempts.map(({ id, orderId }) => [id, orderId]));
  const booked = await bookedLines(tx, due);
  const calls = await callsOf(
    tx,
    due.flatMap(({ attemptId }) => orders.get(orderIds.get(attemptId) ?? '')?.chainStepId ?? []),
  );
  return due.flatMap((fill) => {
    const order = orders.get(orderIds.get(fill.attemptId) ?? '');
    if (order === undefined) throw new Error(`fill ${keyOf(fill)} has no order`);
    const { side, tokenId, chainStepId } = order;
    const entry = entryOfFill(
      { ...fill, side, tokenId },
      booked.get(keyOf(fill)) ?? [],
      calls.get(chainStepId) ?? null,
    );
    return entry === null ? [] : [{ ...entry, at: atOf(fill), ...placeOf(fill, order) }];
  });
}

function placeOf({ tradeId, orderHash, batchId }: FillRecord, { id, submissionId }: OrderRecord) {
  return { batchId, orderId: id, tradeId, orderHash, submissionId };
}

/** Booked lines of fills that have entries. */
async function bookedLines(tx: Db, due: readonly FillRecord[]): Promise<Map<string, LedgerLine[]>> {
  const posted = due.filter(({ inLedger }) => inLedger === 'matched' || inLedger === 'settled');
  const [first] = posted;
  if (first === undefined) return new Map();
  const { tradeId, orderHash, lines, batchId } = ledgerEntries;
  const trades = posted.map((fill) => fill.tradeId);
  const rows = await tx
    .select({ tradeId, orderHash, lines })
    .from(ledgerEntries)
    .where(and(eq(batchId, first.batchId), inArray(tradeId, trades)));
  const byFill = Map.groupBy(rows, (row) => `${row.tradeId} ${row.orderHash}`);
  return new Map([...byFill].map(([key, ofFill]) => [key, ofFill.flatMap((row) => row.lines)]));
}

/** The ledger kind of the call behind each step. */
async function callsOf(tx: Db, stepIds: readonly string[]): Promise<Map<string | null, LedgerKind>> {
  if (stepIds.length === 0) return new Map();
  // By its name alone: what sends these calls books them by way of this file.
  const { rows } = (await tx.execute(sql`select s.id, case c.purpose when 'close' then 'close' else s.kind end as kind
    from chain_steps s join chain_submissions c on c.id = s.submission_id
    where s.id = any(${sql.param([...new Set(stepIds)])}::uuid[])`)) as unknown as {
    rows: { id: string; kind: string }[];
  };
  return new Map(rows.map(({ id, kind }) => [id, KIND_OF_STEP[kind] ?? 'convert']));
}

const KIND_OF_STEP: Readonly<Record<string, LedgerKind>> = {
  split: 'split',
  horizontal_split: 'split',
  merge: 'merge',
  horizontal_merge: 'merge',
  directional_merge: 'merge',
  convert: 'convert',
  redeem: 'redeem',
  close: 'closed',
};
