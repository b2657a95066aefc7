/** Telling people of opportunities that cannot be priced. Books come and go, so only an error that stays is told. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { recordNotification } from '../../notifications/record.ts';
import { opportunities } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import type { Tracked } from './tracked.ts';

const LASTS_MS = 30_000;
/** At a time, so that a venue that is down does not hold up the prices. */
const TOLD_MAX = 50;

/** After every look at its prices. */
export function noteFailing(tracked: Tracked, now: Instant): void {
  if (tracked.row.lastError === null || !tracked.row.active) tracked.failing = null;
  else tracked.failing ??= { since: now, told: false };
}

/** Records a notification of each that has had no price for a while, once for as long as that lasts, in whichever process. */
export async function tellLastingErrors(
  world: Pick<World, 'clock' | 'db' | 'dice' | 'notices'>,
  all: Iterable<Tracked>,
): Promise<void> {
  const now = world.clock.now();
  const due = [...all].filter(({ failing }) => failing !== null && !failing.told && now - failing.since >= LASTS_MS);
  for (const tracked of due.slice(0, TOLD_MAX)) {
    await tell(world, tracked.row.id, now);
    if (tracked.failing !== null) tracked.failing.told = true;
  }
}

async function tell(world: Pick<World, 'clock' | 'db' | 'dice' | 'notices'>, id: string, now: Instant): Promise<void> {
  await world.db.transaction(async (tx) => {
    const untold = and(eq(opportunities.id, id), isNotNull(opportunities.lastError), isNull(opportunities.errorToldAt));
    const [row] = await tx
      .update(opportunities)
      .set({ errorToldAt: now })
      .where(and(untold, eq(opportunities.active, true)))
      .returning();
    if (!row?.lastError) return;
    await recordNotification(tx, world, {
      type: 'opportunity_error',
      opportunityId: id,
      message: `The opportunity cannot be priced: ${row.lastError}`,
      data: { last_error: row.lastError, error_count: row.errorCount },
    });
  });
}
