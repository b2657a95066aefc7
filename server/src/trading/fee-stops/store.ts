import type { FeeStop } from '@dutchbook/contract/fee-stops.ts';
import { idAt, venueOf } from '@dutchbook/units/ids.ts';
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { feeStops } from './table.ts';

type Row = typeof feeStops.$inferSelect;
type StopRuntime = Pick<Runtime, 'clock' | 'random' | 'pubsub' | 'log'>;

/** `cause` is the same as often as the same is found. */
export type FeeFinding = Pick<Row, 'category' | 'cause' | 'marketId' | 'marketName' | 'message'>;

/** Stops the category, once for each cause and not where it is stopped already. */
export async function stopCategory(tx: Db, runtime: StopRuntime, finding: FeeFinding): Promise<void> {
  const { category, marketId, message } = finding;
  const row = { id: runtime.random.uuid(), venue: venueOf(marketId), createdAt: runtime.clock.now(), ...finding };
  const [stopped] = await tx.insert(feeStops).values(row).onConflictDoNothing().returning();
  if (stopped === undefined) return;
  runtime.log.warn({ category, marketId }, 'fees differ, automatic placing stopped');
  const data = { category, market_id: marketId, fee_stop_id: row.id };
  await recordNotification(tx, runtime, { type: 'fee_difference', opportunityId: null, message, data });
  await runtime.pubsub.publish(tx, 'fee_stops_changed');
  await recordAction(tx, runtime, THE_SYSTEM, { action: 'fees.stopped', object: category, after: data });
}

export async function clearStop(
  runtime: StopRuntime & Pick<Runtime, 'db'>,
  id: string,
  actor: Actor,
): Promise<FeeStop> {
  return await runtime.db.transaction(async (tx) => {
    const cleared = { clearedAt: runtime.clock.now(), clearedBy: actor.email };
    const [row] = await tx
      .update(feeStops)
      .set(cleared)
      .where(and(eq(feeStops.id, id), isNull(feeStops.clearedAt)))
      .returning();
    if (row === undefined) {
      const [known] = await tx.select().from(feeStops).where(eq(feeStops.id, id));
      if (known === undefined) throw new NotFound('Fee stop not found');
      throw new Conflict('It was cleared before.');
    }
    await runtime.pubsub.publish(tx, 'fee_stops_changed');
    const { category, marketId, message } = row;
    const before = { market_id: marketId, message };
    await recordAction(tx, runtime, actor, { action: 'fees.cleared', object: category, before });
    return presentStop(row);
  });
}

/** Each written as an id of its venue. */
export async function standingCategories(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ venue: feeStops.venue, category: feeStops.category })
    .from(feeStops)
    .where(isNull(feeStops.clearedAt));
  return new Set(rows.map(({ venue, category }) => idAt(venue, category)));
}

export async function listStops(
  db: Db,
  { standing, skip, limit }: { standing?: boolean | undefined; skip: number; limit: number },
): Promise<{ data: FeeStop[]; count: number }> {
  const { clearedAt, createdAt, id } = feeStops;
  const wanted = standing === undefined ? undefined : standing ? isNull(clearedAt) : isNotNull(clearedAt);
  const rows = await db
    .select()
    .from(feeStops)
    .where(wanted)
    .orderBy(desc(createdAt), desc(id))
    .offset(skip)
    .limit(limit);
  return { data: rows.map(presentStop), count: await db.$count(feeStops, wanted) };
}

export async function countStanding(db: Db): Promise<number> {
  return await db.$count(feeStops, isNull(feeStops.clearedAt));
}

function presentStop(row: Row): FeeStop {
  return {
    id: row.id,
    venue: row.venue,
    category: row.category,
    market_id: row.marketId,
    market_name: row.marketName,
    message: row.message,
    since: row.createdAt,
    cleared_at: row.clearedAt,
    cleared_by: row.clearedBy,
  };
}
