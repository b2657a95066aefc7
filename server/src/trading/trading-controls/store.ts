import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { idAt, VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '../../people/users/table.ts';
import { fromJsonOf, type JsonRow } from '../../platform/database/json-rows.ts';
import { lock } from '../../platform/database/locks.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { tradingControls } from './table.ts';

type Changed = { at: Instant; by: string | null } | null;

/** The stored controls of a venue. `by` is an email, null when that account is gone. */
export type StoredControls = {
  armed: boolean;
  armedChanged: Changed;
  limits: TradingLimits;
  limitsChanged: Changed;
};

/** Whose row: that of the account at a venue, or, of the limits alone, that of the whole desk. */
export type ControlsOf = VenueName | typeof WHOLE_DESK;

export const WHOLE_DESK = 'desk';

/** The key of its row. */
function rowName(mode: VenueMode, of: ControlsOf): string {
  if (of === WHOLE_DESK) return WHOLE_DESK;
  const { keptUnder, world } = modeOf(mode);
  return world === 'real' ? of : idAt(of, keptUnder);
}

/** The controls before their first change. */
function untouched(mode: VenueMode, of: ControlsOf): StoredControls {
  const { onExchange = false, isReadOnly = false } = modeOf(mode);
  const armed = onExchange && !isReadOnly && of !== WHOLE_DESK;
  return { armed, armedChanged: null, limits: NO_LIMITS, limitsChanged: null };
}

export async function readControls(db: Db, mode: VenueMode, of: ControlsOf): Promise<StoredControls> {
  const armedBy = alias(users, 'armed_by');
  const limitsBy = alias(users, 'limits_by');
  const [found] = await db
    .select({ row: tradingControls, armedBy: armedBy.email, limitsBy: limitsBy.email })
    .from(tradingControls)
    .leftJoin(armedBy, eq(armedBy.id, tradingControls.armedChangedBy))
    .leftJoin(limitsBy, eq(limitsBy.id, tradingControls.limitsChangedBy))
    .where(eq(tradingControls.venue, rowName(mode, of)));
  if (!found) return untouched(mode, of);
  const { armed, armedChangedAt, limitsChangedAt } = found.row;
  return {
    armed,
    armedChanged: armedChangedAt === null ? null : { at: armedChangedAt, by: found.armedBy },
    limits: limitsOf(found.row),
    limitsChanged: limitsChangedAt === null ? null : { at: limitsChangedAt, by: found.limitsBy },
  };
}

export type StandingControls = Pick<StoredControls, 'armed' | 'limits'> & { armedChangedAt: Instant | null };

/** The query for whether trading is armed and which limits hold, at every venue and over all. `isLocked`: it stays so until the transaction ends. */
export function controlsRows(mode: VenueMode, isLocked: boolean): SQL {
  const names = sql.join(
    [...VENUE_NAMES, WHOLE_DESK].map((of) => sql`${rowName(mode, of as ControlsOf)}`),
    sql`, `,
  );
  const lock = isLocked ? sql.raw('for share') : sql.empty();
  return sql`(select * from trading_controls where venue in (${names}) order by venue ${lock})`;
}

const controlsFrom = fromJsonOf(tradingControls);

/** Reads controls from the rows of `controlsRows`; without a row the defaults hold. */
export function standingBy(stored: readonly JsonRow[], mode: VenueMode): (of: ControlsOf) => StandingControls {
  const rows = stored.map(controlsFrom);
  return (of) => {
    const name = rowName(mode, of);
    const row = rows.find(({ venue }) => venue === name);
    if (row === undefined) return { ...untouched(mode, of), armedChangedAt: null };
    const { armed, armedChangedAt } = row;
    return { armed, armedChangedAt, limits: limitsOf(row) };
  };
}

/** Whether trading is armed at a venue; at none does that change until the transaction ends. */
export async function armedUntilEnd(tx: Db, mode: VenueMode): Promise<(venue: VenueName) => boolean> {
  const standing = standingBy(await executeNamed<JsonRow>(tx, controlsRows(mode, true)), mode);
  return (venue) => standing(venue).armed;
}

export async function isArmedUntilEnd(tx: Db, mode: VenueMode, venue: VenueName): Promise<boolean> {
  return (await armedUntilEnd(tx, mode))(venue);
}

type Changing = Pick<Runtime, 'clock'> & { mode: VenueMode; of: ControlsOf; userId: string | null };

/** There is a row to lock from then on. */
export async function ensureControls(db: Db, mode: VenueMode, of: ControlsOf): Promise<void> {
  await db
    .insert(tradingControls)
    .values({ venue: rowName(mode, of), armed: untouched(mode, of).armed })
    .onConflictDoNothing();
}

/** Reads and locks the stored controls until the transaction ends, so that the later of two changes sees the earlier one. */
export async function lockControls(
  tx: Db,
  mode: VenueMode,
  of: ControlsOf,
): Promise<{ armed: boolean; armedChangedAt: Instant | null; limits: TradingLimits }> {
  const venue = rowName(mode, of);
  // Until the first limit is set there is no row that a decision which is being taken could have locked.
  if (of === WHOLE_DESK) await lock(tx, 'spending');
  await ensureControls(tx, mode, of);
  const [row] = await tx.select().from(tradingControls).where(eq(tradingControls.venue, venue)).for('update');
  if (!row) throw new Error(`the controls of ${venue} are neither there nor could they be added`);
  return { armed: row.armed, armedChangedAt: row.armedChangedAt, limits: limitsOf(row) };
}

/** After `lockControls`. */
export async function storeArmed(tx: Db, { clock, mode, of, userId }: Changing, armed: boolean): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ armed, armedChangedAt: clock.now(), armedChangedBy: userId })
    .where(eq(tradingControls.venue, rowName(mode, of)));
}

/** After `lockControls`. */
export async function storeLimits(tx: Db, { clock, mode, of, userId }: Changing, limits: TradingLimits): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ ...limits, limitsChangedAt: clock.now(), limitsChangedBy: userId })
    .where(eq(tradingControls.venue, rowName(mode, of)));
}

function limitsOf({ perOrder, perBatch, perDay, openExposure }: typeof tradingControls.$inferSelect): TradingLimits {
  return { perOrder, perBatch, perDay, openExposure };
}
