import { ALERTS_MAX, type Alert as ServedAlert } from '@dutchbook/contract/attention.ts';
import type { Alert } from '@dutchbook/engine/desk/alerts.ts';
import { formatPercent, type Percent } from '@dutchbook/units/percent.ts';
import { and, asc, desc, eq } from 'drizzle-orm';
import { countWithPage } from '../../../platform/database/count-with-page.ts';
import { Conflict, NotFound } from '../../../platform/http/errors.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { nameOfRow } from '../present.ts';
import { opportunities, opportunityPrices } from '../table.ts';
import { opportunityAlerts } from './table.ts';

type Asked = { userId: string; opportunityId: string; atPercentage: Percent; byMail: boolean };

/** The alerts of a person, newest first. */
export async function listAlerts(
  db: Db,
  userId: string,
  { skip, limit, opportunity_id }: { skip: number; limit: number; opportunity_id?: string | undefined },
): Promise<{ data: ServedAlert[]; count: number }> {
  const wanted = and(
    eq(opportunityAlerts.userId, userId),
    opportunity_id === undefined ? undefined : eq(opportunityAlerts.opportunityId, opportunity_id),
  );
  const rows = await alertsWithOpportunity(db)
    .where(wanted)
    .orderBy(desc(opportunityAlerts.createdAt), desc(opportunityAlerts.id))
    .offset(skip)
    .limit(limit);
  const count = await countWithPage({ skip, limit }, rows.length, () => db.$count(opportunityAlerts, wanted));
  return { data: rows.map(present), count };
}

/** The caller's row is locked, so that two calls at once do not pass the bound together. @throws NotFound, Conflict */
export async function addAlert(tx: Db, { clock, random }: Pick<Runtime, 'clock' | 'random'>, asked: Asked) {
  const { userId, opportunityId, atPercentage } = asked;
  const [standing] = await tx
    .select({ id: opportunities.id })
    .from(opportunities)
    .where(eq(opportunities.id, opportunityId))
    .for('share');
  if (standing === undefined) throw new NotFound('Opportunity not found');
  const own = eq(opportunityAlerts.userId, userId);
  const alike = and(
    own,
    eq(opportunityAlerts.opportunityId, opportunityId),
    eq(opportunityAlerts.atPercentage, atPercentage),
  );
  if ((await tx.$count(opportunityAlerts, alike)) > 0)
    throw new Conflict(`You have an alert at ${formatPercent(atPercentage)} for this opportunity already.`);
  if ((await tx.$count(opportunityAlerts, own)) >= ALERTS_MAX)
    throw new Conflict(`You have ${ALERTS_MAX} alerts. Delete one first.`);
  const id = random.uuid();
  await tx.insert(opportunityAlerts).values({ ...asked, id, armed: true, createdAt: clock.now() });
  return await readAlert(tx, userId, id);
}

/** @throws NotFound, also for another user's */
export async function removeAlert(tx: Db, userId: string, id: string): Promise<ServedAlert> {
  const alert = await readAlert(tx, userId, id);
  await tx.delete(opportunityAlerts).where(eq(opportunityAlerts.id, id));
  return alert;
}

async function readAlert(db: Db, userId: string, id: string): Promise<ServedAlert> {
  const [row] = await alertsWithOpportunity(db).where(
    and(eq(opportunityAlerts.id, id), eq(opportunityAlerts.userId, userId)),
  );
  if (row === undefined) throw new NotFound('Alert not found');
  return present(row);
}

/** All alerts as the desk takes them, by opportunity: people have few, so all fit into memory. */
export async function readAlerts(db: Db): Promise<Map<string, Alert[]>> {
  const rows = await db.select().from(opportunityAlerts).orderBy(asc(opportunityAlerts.id));
  const byOpportunity = new Map<string, Alert[]>();
  for (const { id, opportunityId, atPercentage: atPct, armed } of rows) {
    const others = byOpportunity.get(opportunityId);
    if (others === undefined) byOpportunity.set(opportunityId, [{ id, atPct, armed }]);
    else others.push({ id, atPct, armed });
  }
  return byOpportunity;
}

function alertsWithOpportunity(db: Db) {
  return db
    .select({
      alert: opportunityAlerts,
      active: opportunities.active,
      marketCombinations: opportunities.marketCombinations,
      sourceDetails: opportunities.sourceDetails,
      about: opportunityPrices.about,
      profit: opportunityPrices.profitPercentage,
    })
    .from(opportunityAlerts)
    .innerJoin(opportunities, eq(opportunities.id, opportunityAlerts.opportunityId))
    .innerJoin(opportunityPrices, eq(opportunityPrices.opportunityId, opportunityAlerts.opportunityId))
    .$dynamic();
}

type Found = Awaited<ReturnType<typeof alertsWithOpportunity>>[number];

function present({ alert, active, profit, ...opportunity }: Found): ServedAlert {
  return {
    id: alert.id,
    opportunity_id: alert.opportunityId,
    opportunity_name: nameOfRow(opportunity),
    at_percentage: alert.atPercentage,
    by_mail: alert.byMail,
    armed: alert.armed,
    active,
    profit_percentage: profit,
    created_at: alert.createdAt,
    fired_at: alert.firedAt,
  };
}
