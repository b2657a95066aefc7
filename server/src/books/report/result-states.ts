/** Batches as far as their results are computed from them: a third of what is stored, of very many. */
import { type SQL, sql } from 'drizzle-orm';
import { type JsonRow, type PartOfTable, partOf } from '../../platform/database/json-rows.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import {
  type AttemptRecord,
  type BatchRecord,
  type FillRecord,
  type OrderRecord,
  type StateOf,
  stateOf,
} from '../../trading/orders/batch-state.ts';
import { attempts, batches, batchOrders, fills } from '../../trading/orders/table.ts';

const OF_BATCH = [
  ...(['id', 'opportunityId', 'status', 'orderSize', 'targetPrice', 'targetProfit', 'automatic'] as const),
  ...(['splitStepId', 'soldAt', 'createdAt', 'createdBy'] as const),
];
const OF_ORDER = [
  ...(['id', 'leg', 'side', 'status', 'marketId', 'marketName', 'tokenId', 'outcome', 'size', 'price'] as const),
  ...([
    'expectedPrice',
    'expectedFee',
    'bookAgeMs',
    'sellsOrderId',
    'saleId',
    'chainStepId',
    'submissionPurpose',
    'resolvedValue',
    'resolvedAt',
    'goneSize',
    'goneAt',
  ] as const),
];
const OF_ATTEMPT = [
  ...(['id', 'orderId', 'status', 'bookPriceOfOrder', 'bookPrice', 'createdAt', 'sentAt', 'endedAt'] as const),
];
const OF_FILL = [
  ...([
    'tradeId',
    'attemptId',
    'price',
    'size',
    'cost',
    'fee',
    'settlement',
    'matchedAt',
    'createdAt',
    'settledAt',
  ] as const),
];

export type ResultState = StateOf<
  Pick<BatchRecord, (typeof OF_BATCH)[number]>,
  Pick<OrderRecord, (typeof OF_ORDER)[number]>,
  Pick<AttemptRecord, (typeof OF_ATTEMPT)[number]>,
  Pick<FillRecord, (typeof OF_FILL)[number]>
>;

const batchPart = partOf(batches, OF_BATCH);
const orderPart = partOf(batchOrders, OF_ORDER);
const attemptPart = partOf(attempts, OF_ATTEMPT);
const fillPart = partOf(fills, OF_FILL);

/** `version`: changes whenever the row does. */
export type Versioned = { id: string; version: string };

/**
 * Those that have not changed since they had these versions. Whatever is reported of a batch changes its row, which is read last: so no
 * more is read of one than belongs together. As JSON in one statement it would take the database twice as long.
 */
export async function loadResultStates(db: Db, wanted: readonly Versioned[]): Promise<ResultState[]> {
  const ids = sql`any(${sql.param(wanted.map(({ id }) => id))}::uuid[])`;
  const fillsOf = await readParts(db, fillPart, sql`${fills} where batch_id = ${ids} order by matched_at`);
  const attemptsOf = await readParts(db, attemptPart, sql`${attempts} where batch_id = ${ids}`);
  const ordersOf = await readParts(db, orderPart, sql`${batchOrders} where batch_id = ${ids} order by ordinal`);
  const rows = await readRows(db, sql`select xmin::text, ${batchPart.columns} from ${batches} where id = ${ids}`);
  const versions = new Map(wanted.map(({ id, version }) => [id, version]));
  return rows
    .map((row) => ({ row, batch: batchPart.from(row) }))
    .flatMap(({ row, batch }) => {
      const { id } = batch;
      if (row.xmin !== versions.get(id)) return [];
      return [stateOf(batch, ordersOf.get(id) ?? [], attemptsOf.get(id) ?? [], fillsOf.get(id) ?? [])];
    });
}

/** Rows of a table by batch. */
async function readParts<Row>(db: Db, part: PartOfTable<Row>, from: SQL): Promise<Map<unknown, Row[]>> {
  const rows = await readRows(db, sql`select batch_id, ${part.columns} from ${from}`);
  return new Map([...Map.groupBy(rows, (row) => row.batch_id)].map(([id, own]) => [id, own.map(part.from)]));
}

async function readRows(db: Db, statement: SQL): Promise<JsonRow[]> {
  return ((await db.execute(statement)) as unknown as { rows: JsonRow[] }).rows;
}
