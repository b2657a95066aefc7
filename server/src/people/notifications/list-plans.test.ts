import { NOTIFICATION_SORTS } from '@dutchbook/contract/notifications.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../../platform/database/explained-steps.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { pageOfNotifications } from './store.ts';

const ROWS = 4000;

/** Two in three were sent, and of half it is known which opportunity they are about. */
async function fill({ runtime: { db } }: TestRuntime): Promise<void> {
  await db.execute(sql`
    insert into notifications (id, opportunity_id, notification_type, message, status, sent_at, attempts, created_at,
      updated_at, error_message, data)
    select gen_random_uuid(), case when n % 2 = 0 then gen_random_uuid() end,
      (array['order_placed', 'batch_completed', 'leg_risk'])[n % 3 + 1], 'Message ' || (n * 7919) % 1000,
      case when n % 3 = 0 then 'failed' else 'sent' end, case when n % 3 > 0 then now() + n * interval '1 s' end, n % 5,
      now() + n * interval '1 s', now() + n % 9 * interval '1 s', case when n % 3 = 0 then 'error ' || n % 40 end, '{}'
    from generate_series(1, ${ROWS}) as n`);
  await db.execute(sql`analyze notifications`);
}

describe('a page of notifications', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await fill(test);
  });
  afterAll(() => test.close());

  it.each(NOTIFICATION_SORTS)('by %s is read from an index, whatever the direction', async (sortBy) => {
    const { db } = test.runtime;
    for (const sortOrder of ['asc', 'desc'] as const) {
      const steps = await explainedSteps(db, pageOfNotifications(db, {}, { skip: 20, limit: 10, sortBy, sortOrder }));
      const others = steps.filter(
        ({ 'Node Type': name }) => !/^(Limit|Append|Subquery Scan|Index Scan|Incremental Sort)$/.test(name),
      );
      expect({ sortOrder, others }).toEqual({ sortOrder, others: [] });
      for (const step of steps) expect(step['Actual Rows'] * step['Actual Loops']).toBeLessThanOrEqual(100);
    }
  });

  it.each(['sent_at', 'error_message', 'opportunity_id'] as const)(
    'by %s ends with those of which it is not known, both ways, on whatever page',
    async (sortBy) => {
      const { db } = test.runtime;
      const known = { sent_at: 'sentAt', error_message: 'errorMessage', opportunity_id: 'opportunityId' } as const;
      for (const sortOrder of ['asc', 'desc'] as const) {
        const whole = await pageOfNotifications(db, {}, { skip: 0, limit: ROWS, sortBy, sortOrder });
        const firstUnknown = whole.findIndex((row) => row[known[sortBy]] === null);
        expect(firstUnknown).toBeGreaterThan(0);
        expect(whole.slice(firstUnknown).every((row) => row[known[sortBy]] === null)).toBe(true);
        const page = { skip: firstUnknown - 5, limit: 10, sortBy, sortOrder };
        expect(await pageOfNotifications(db, {}, page)).toEqual(whole.slice(firstUnknown - 5, firstUnknown + 5));
      }
    },
  );
});
