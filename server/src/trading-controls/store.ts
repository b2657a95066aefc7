import type { VenueMode } from '@dutchbook/contract/status.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { tradingControls, users } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';

type Changed = { at: Instant; by: string | null } | null;

/** What is stored for a venue. `by` is an email, null when that account is gone. */
export type StoredControls = {
  armed: boolean;
  armedChanged: Changed;
  limits: TradingLimits;
  limitsChanged: Changed;
};

/** A real venue is one, with or without a key to trade with: its limits and its arming are kept in one place. */
function venueOf(mode: VenueMode): string {
  return mode === 'simulated' ? 'simulated' : 'polymarket';
}

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
    .where(eq(tradingControls.venue, venueOf(mode)));
  if (!found) return untouched(mode);
  const { armed, armedChangedAt, limitsChangedAt } = found.row;
  return {
    armed,
    armedChanged: armedChangedAt === null ? null : { at: armedChangedAt, by: found.armedBy },
    limits: limitsOf(found.row),
    limitsChanged: limitsChangedAt === null ? null : { at: limitsChangedAt, by: found.limitsBy },
  };
}

/** Whether trading is armed, and it stays so until the transaction ends. */
export async function isArmedUntilEnd(tx: Db, mode: VenueMode): Promise<boolean> {
  const [row] = await armedUntilEnd(tx, mode);
  return armedBy(row?.armed ?? null, mode);
}

/** The query behind it, for a statement that asks more; without a row nobody has changed anything. */
export function armedUntilEnd(tx: Db, mode: VenueMode) {
  return tx
    .select({ armed: tradingControls.armed })
    .from(tradingControls)
    .where(eq(tradingControls.venue, venueOf(mode)))
    .for('share');
}

export function armedBy(stored: boolean | null, mode: VenueMode): boolean {
  return stored ?? untouched(mode).armed;
}

type Changing = Pick<World, 'clock'> & { mode: VenueMode; userId: string };

/** There is a row to lock from then on. */
export async function ensureControls(db: Db, mode: VenueMode): Promise<void> {
  await db
    .insert(tradingControls)
    .values({ venue: venueOf(mode), armed: untouched(mode).armed })
    .onConflictDoNothing();
}

/** What stands now, locked until the transaction ends, so that of two changes the later one sees the earlier one. */
export async function lockControls(tx: Db, mode: VenueMode): Promise<{ armed: boolean; limits: TradingLimits }> {
  const venue = venueOf(mode);
  await ensureControls(tx, mode);
  const [row] = await tx.select().from(tradingControls).where(eq(tradingControls.venue, venue)).for('update');
  if (!row) throw new Error(`the controls of ${venue} are neither there nor could they be added`);
  return { armed: row.armed, limits: limitsOf(row) };
}

/** After `lockControls`. */
export async function storeArmed(tx: Db, { clock, mode, userId }: Changing, armed: boolean): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ armed, armedChangedAt: clock.now(), armedChangedBy: userId })
    .where(eq(tradingControls.venue, venueOf(mode)));
}

/** After `lockControls`. */
export async function storeLimits(tx: Db, { clock, mode, userId }: Changing, limits: TradingLimits): Promise<void> {
  await tx
    .update(tradingControls)
    .set({ ...limits, limitsChangedAt: clock.now(), limitsChangedBy: userId })
    .where(eq(tradingControls.venue, venueOf(mode)));
}

function limitsOf({ perOrder, perBatch, perDay, openExposure }: typeof tradingControls.$inferSelect): TradingLimits {
  return { perOrder, perBatch, perDay, openExposure };
}
