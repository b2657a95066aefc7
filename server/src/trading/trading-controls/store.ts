import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '../../people/users/table.ts';
import { fromJsonOf, type JsonRow } from '../../platform/database/json-rows.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { tradingControls } from './table.ts';

type Changed = { at: Instant; by: string | null } | null;

/** What is stored for a venue. `by` is an email, null when that account is gone. */
export type StoredControls = {
  armed: boolean;
  armedChanged: Changed;
  limits: TradingLimits;
  limitsChanged: Changed;
};

/** Until somebody has changed anything. */
function untouched(mode: VenueMode): StoredControls {
  const limits = { perOrder: null, perBatch: null, perDay: null, openExposure: null };
  return { armed: mode === 'simulated', armedChanged: null, limits, limitsChanged: null };
}

export async function readControls(db: Db, mode: VenueMode): Promise<StoredControls> {
  const armedBy = alias(users, 'armed_by');
  const limitsBy = alias(users, 'limits_by');
  const [found] = await db
    .select({ row: tradingControls, armedBy: armedBy.email, limitsBy: limitsBy.email })
    .from(tradingControls)
    .leftJoin(armedBy, eq(armedBy.id, tradingControls.armedChangedBy))
    .leftJoin(limitsBy, eq(limitsBy.id, tradingControls.limitsChangedBy))
    .where(eq(tradingControls.venue, modeOf(mode).venue));
  if (!found) return untouched(mode);
  const { armed, armedChangedAt, limitsChangedAt } = found.row;
  return {
    armed,
    armedChanged: armedChangedAt === null ? null : { at: armedChangedAt, by: found.armedBy },
    limits: limitsOf(found.row),
    limitsChanged: limitsChangedAt === null ? null : { at: limitsChangedAt, by: found.limitsBy },
  };
}

export type StandingControls = Pick<StoredControls, 'armed' | 'limits'>;

/** The query for whether trading is armed and which limits hold. `isLocked`: both stay so until the transaction ends. */
export function controlsRow(mode: VenueMode, isLocked: boolean): SQL {
  const lock = isLocked ? sql.raw('for share') : sql.empty();
  return sql`(select * from trading_controls where venue = ${modeOf(mode).venue} ${lock})`;
}

const controlsFrom = fromJsonOf(tradingControls);

/** By the row of `controlsRow`; without one nothing was changed yet. */
export function standingBy([stored]: readonly JsonRow[], mode: VenueMode): StandingControls {
  const row = stored && controlsFrom(stored);
  return row === undefined ? untouched(mode) : { armed: row.armed, limits: limitsOf(row) };
}

export async function isArmedUntilEnd(tx: Db, mode: VenueMode): Promise<boolean> {
  return standingBy(await executeNamed<JsonRow>(tx, controlsRow(mode, true)), mode).armed;
}

type Changing = Pick<Runtime, 'clock'> & { mode: VenueMode; userId: string | null };

/** There is a row to lock from then on. */
export async function ensureControls(db: Db, mode: VenueMode): Promise<void> {
  await db
    .insert(tradingControls)
    .values({ venue: modeOf(mode).venue, armed: untouched(mode).armed })
    .onConflictDoNothing();
}

/** What stands now, locked until the transaction ends, so that of two changes the later one sees the earlier one. */
export async function lockControls(
  tx: Db,
  mode: VenueMode,
): Promise<{ armed: boolean; armedChangedAt: Instant | null; limits: TradingLimits }> {
  const venue = modeOf(mode).venue;
  await ensureControls(tx, mode);
  const [row] = await tx.select().from(tradingControls).where(eq(tradingControls.venue, venue)).for('update');
  if (!row) throw new Error(`the controls of ${venue} are neither there nor could they be added`);
  return { armed: row.armed, armedChangedAt: row.armedChangedAt, limits: limitsOf(row) };
}

/** After `lockControls`. */
export async function storeArmed(tx: Db, { clock, mode, userId }: Changing, armed: boolean): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ armed, armedChangedAt: clock.now(), armedChangedBy: userId })
    .where(eq(tradingControls.venue, modeOf(mode).venue));
}

/** After `lockControls`. */
export async function storeLimits(tx: Db, { clock, mode, userId }: Changing, limits: TradingLimits): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ ...limits, limitsChangedAt: clock.now(), limitsChangedBy: userId })
    .where(eq(tradingControls.venue, modeOf(mode).venue));
}

function limitsOf({ perOrder, perBatch, perDay, openExposure }: typeof tradingControls.$inferSelect): TradingLimits {
  return { perOrder, perBatch, perDay, openExposure };
}
