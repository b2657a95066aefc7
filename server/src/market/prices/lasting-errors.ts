/** Notifies of opportunities that cannot be priced. Books come and go, so only an error that stays is notified. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { type NewNotification, notificationWrites } from '../../people/notifications/record.ts';
import { together } from '../../platform/database/write-together.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { nameOfRow } from '../opportunities/present.ts';
import { opportunities, opportunityPrices } from '../opportunities/table.ts';
import type { Tracked } from './tracked.ts';

const LASTS_MS = 30_000;
/** Errors notified at a time, so that a venue that is down does not hold up the prices. */
const TOLD_MAX = 50;

/** After every check of its prices. */
export function noteFailing(tracked: Tracked, now: Instant): void {
  if (tracked.row.lastError === null || !tracked.row.active) tracked.failing = null;
  else tracked.failing ??= { since: now, notified: false };
}

/** Records a notification of each that has had no price for a while, once for as long as that lasts, in whichever process. */
export async function notifyLastingErrors(
  runtime: Pick<Runtime, 'clock' | 'db' | 'random' | 'pubsub'>,
  all: Iterable<Tracked>,
): Promise<void> {
  const now = runtime.clock.now();
  const due = [...all].filter(
    ({ failing }) => failing !== null && !failing.notified && now - failing.since >= LASTS_MS,
  );
  const some = due.slice(0, TOLD_MAX);
  if (some.length === 0) return;
  await notify(
    runtime,
    some.map(({ row }) => row.id),
    now,
  );
  for (const { failing } of some) if (failing !== null) failing.notified = true;
}

async function notify(
  runtime: Pick<Runtime, 'clock' | 'db' | 'random' | 'pubsub'>,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const active = and(inArray(opportunities.id, [...ids]), eq(opportunities.active, true));
    const standing = await tx
      .select({
        id: opportunities.id,
        marketCombinations: opportunities.marketCombinations,
        sourceDetails: opportunities.sourceDetails,
      })
      .from(opportunities)
      .where(active)
      .orderBy(opportunities.id)
      .for('share');
    if (standing.length === 0) return;
    const { opportunityId, about, lastError, errorCount, errorNotifiedAt } = opportunityPrices;
    const said = new Map(standing.map((row) => [row.id, row]));
    const own = inArray(
      opportunityId,
      standing.map(({ id }) => id),
    );
    const failing = await tx
      .update(opportunityPrices)
      .set({ errorNotifiedAt: now })
      .where(and(own, isNotNull(lastError), isNull(errorNotifiedAt)))
      .returning({ opportunityId, about, lastError, errorCount });
    if (failing.length === 0) return;
    const { writes, calls } = notificationWrites(
      runtime,
      failing.flatMap((row): NewNotification[] => {
        const opportunity = said.get(row.opportunityId);
        if (opportunity === undefined) return [];
        const name = nameOfRow({ ...opportunity, about: row.about });
        return [
          {
            type: 'opportunity_error',
            opportunityId: row.opportunityId,
            message: `${name} cannot be priced: ${row.lastError}`,
            data: { name, last_error: row.lastError, error_count: row.errorCount },
          },
        ];
      }),
    );
    await tx.execute(together(writes, calls));
  });
}
