import { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../world/explained-steps.fixture.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import { type OpportunityFilter, pageOfOpportunities } from './store.ts';

const ROWS = 4000;
const FILTERS: OpportunityFilter[] = [undefined, true, false].flatMap((active) =>
  [undefined, true, false].map((triggered) => ({ active, triggered })),
);

/** Half is active, a third triggered, and half of what can be unknown is. */
async function fill({ world: { db } }: TestWorld): Promise<void> {
  await db.execute(sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, current_price,
      fees_per_set, profit_percentage, active, triggered, last_checked, last_error, error_count, source, source_details,
      content_hash)
    select gen_random_uuid(), now() + n * interval '1 s', now() + n % 9 * interval '1 s', '[]', n, known, known, known,
      (n / 2) % 2 = 0, (n / 4) % 3 = 0, now() + known * interval '1 s', 'error ' || known, n % 9, 'Source ' || known,
      'details ' || known, md5(n::text)
    from generate_series(1, ${ROWS}) as n, lateral (select case when n % 2 = 0 then (n * 7919) % 1000 end) as k(known)`);
  await db.execute(sql`analyze opportunities`);
}

describe.each(testDatabases)('a page of opportunities on %s', (kind) => {
  let test: TestWorld;
  beforeAll(async () => {
    test = await openTestWorld(kind);
    await fill(test);
  });
  afterAll(() => test.close());

  it.each(OPPORTUNITY_SORTS)('by %s is read from an index, whatever the direction and the filter', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      for (const filter of FILTERS) {
        const page = pageOfOpportunities(test.world.db, filter, { skip: 20, limit: 10, sortBy, sortOrder });
        const steps = await explainedSteps(test.world.db, page);
        const names = steps.map((step) => step['Node Type']);
        expect({ filter, sortOrder, names }).toEqual({
          filter,
          sortOrder,
          names: names.filter((name) => /^(Limit|Append|Subquery Scan|Index Scan|Incremental Sort)$/.test(name)),
        });
        for (const step of steps) expect(step['Actual Rows'] * step['Actual Loops']).toBeLessThanOrEqual(100);
      }
    }
  });
});
