/** Equity as it is served, and the points of its curve. */
import type { Equity } from '@dutchbook/contract/portfolio.ts';
import { changeSince, type EquityChange, equityCurve, equityOf } from '@dutchbook/engine/ledger/equity.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { asc, gte, lt, sql } from 'drizzle-orm';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { equityPoints } from './table.ts';
import { readWorth, type Worth, type WorthParts } from './worth.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** A point before the week is what the week's change counts from. */
const KEPT_MS = 8 * DAY_MS;
const KEPT_MINUTES = 15;
const POINTS_DRAWN = 180;
/** Computed at most this often, however many tabs read it. */
const HOLDS_MS = 1000;

/** @returns what reads it; calls within a second are given one answer */
export function openEquity(parts: WorthParts): () => Promise<Equity> {
  const { clock, db } = parts.runtime;
  let known: { at: Instant; worth: Promise<Worth> } | null = null;
  const worthNow = () => {
    const now = clock.now();
    if (known !== null && now >= known.at && now - known.at <= HOLDS_MS) return known.worth;
    const worth = readWorth(parts);
    known = { at: now, worth };
    worth.catch(() => {
      if (known?.worth === worth) known = null;
    });
    return worth;
  };
  return async () => {
    const worth = await worthNow();
    const { at } = worth;
    const points = await db
      .select()
      .from(equityPoints)
      .where(gte(equityPoints.at, Math.max(at - KEPT_MS, worth.runSince ?? 0) as Instant))
      .orderBy(asc(equityPoints.at));
    return presentEquity(worth, points);
  };
}

function presentEquity(now: Worth, points: readonly (typeof equityPoints.$inferSelect)[]): Equity {
  const { at, beganAt, paidIn } = now;
  const since = (then: Instant) =>
    beganAt === null ? null : presentChange(changeSince({ points, beganAt, now }, then));
  const weekAgo = (at - WEEK_MS) as Instant;
  const ofWeek = points.filter((point) => point.at >= weekAgo && point.at < at);
  const begun = beganAt === null || beganAt < weekAgo ? [] : [{ ...now, at: beganAt, ...NOTHING, cash: paidIn }];
  const curve = equityCurve([...begun, ...ofWeek, now], paidIn, POINTS_DRAWN);
  return {
    at,
    equity_usd: beganAt === null ? null : equityOf(now),
    cash_usd: now.cash,
    locked_usd: now.locked,
    redeemable_usd: now.redeemable,
    shares_usd: now.shares,
    unpriced: now.unpriced,
    today: since(startOfUtcDay(at)),
    week: since(weekAgo),
    drawdown_usd: curve.drawdown,
    below_peak_usd: curve.belowPeak,
    curve: beganAt === null ? [] : curve.points.map((point) => ({ at: point.at, equity_usd: point.equity })),
  };
}

const NOTHING = { locked: 0, shares: 0 } as Pick<Worth, 'locked' | 'shares'>;

function presentChange(change: EquityChange | null): Equity['today'] {
  return change === null ? null : { since: change.since, change_usd: change.change };
}

type KeepParts = WorthParts & { runtime: Pick<Runtime, 'db' | 'clock' | 'timers'> };

/** Writes down each minute what the account is worth, unless a position has no price. @returns what stops it */
export function keepEquity(parts: KeepParts): () => void {
  return parts.runtime.timers.every(MINUTE_MS, () => writeEquity(parts));
}

async function writeEquity(parts: WorthParts): Promise<void> {
  const { db } = parts.runtime;
  const { unpriced, beganAt, runSince: _, redeemable: __, ...point } = await readWorth(parts);
  if (beganAt === null || unpriced > 0) return;
  const { at } = point;
  await db.insert(equityPoints).values(point).onConflictDoNothing();
  await db.delete(equityPoints).where(
    sql`${lt(equityPoints.at, (at - KEPT_MS) as Instant)} or ${lt(equityPoints.at, (at - DAY_MS) as Instant)}
        and extract(minute from ${equityPoints.at})::int % ${KEPT_MINUTES} <> 0`,
  );
}
