import { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { asc, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../../platform/database/explained-steps.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { type OpportunityFilter, pageOfOpportunities, storedOpportunities } from './store.ts';
import { opportunities } from './table.ts';

const ROWS = 4000;
const MOVED = 1000;
/** What is looked at to find the thirty that a filter leaves: the order says nothing of it. */
const FEW = ROWS / 10;
const UNINDEXED = ['fees_per_set', 'triggered', 'last_checked', 'last_error', 'error_count', 'blocked'] as const;
const INDEXED = OPPORTUNITY_SORTS.filter((sort) => !UNINDEXED.some((each) => each === sort));
const FILTERS: OpportunityFilter[] = [undefined, true, false].flatMap((active) =>
  [undefined, true, false].map((triggered) => ({ active, triggered })),
);

/** Half is active, a third triggered, and half of what can be unknown is. */
async function fill({ runtime: { db } }: TestRuntime): Promise<void> {
  await db.execute(sql`
    with numbered as (
      select n, known, md5(n::text)::uuid as id, now() + n % 9 * interval '1 s' as updated_at
      from generate_series(1, ${ROWS}) as n, lateral (select case when n % 2 = 0 then (n * 7919) % 1000 end) as k(known)
    ), stored as (
      insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, source,
        source_details, content_hash)
      select id, now() + n * interval '1 s', updated_at, '[]', n, (n / 2) % 2 = 0, 'Source ' || known, 'details ' || known,
        md5(n::text)
      from numbered
    )
    insert into opportunity_prices (opportunity_id, edited_at, current_price, fees_per_set, profit_percentage, annualised_return,
      profit_usd, max_profitable_size, pays_at, about, triggered,
      last_checked, last_error, error_count)
    select id, updated_at, known, known, known, known, known, known, now() + known * interval '1 s', 'Event ' || known,
      (n / 4) % 3 = 0, now() + known * interval '1 s', 'error ' || known, n % 9
    from numbered`);
  await db.execute(sql`analyze opportunities, opportunity_prices`);
}

describe('a page of opportunities', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await fill(test);
  });
  afterAll(() => test.close());

  it.each(INDEXED)('by %s is read from an index, whatever the direction and the filter', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      for (const filter of FILTERS) {
        const page = pageOfOpportunities(test.runtime.db, filter, { skip: 20, limit: 10, sortBy, sortOrder });
        const steps = await explainedSteps(test.runtime.db, page);
        const ofList = steps.filter((step) => step['Relation Name'] !== 'opportunity_counts');
        const scanned = ofList.map((step) => step['Node Type']).filter((name) => /Scan$/.test(name));
        expect({ filter, sortOrder, scanned }).toEqual({
          filter,
          sortOrder,
          scanned: scanned.filter((name) => /^(Subquery|Index|Index Only) Scan$/.test(name)),
        });
        for (const step of steps) expect(step['Actual Rows'] * step['Actual Loops']).toBeLessThanOrEqual(FEW);
      }
    }
  });

  it('by a price is read from an index although thousands of others have moved since', async () => {
    const stored = await storedOpportunities(test.runtime.db).orderBy(asc(opportunities.id)).limit(MOVED);
    const moved = stored.map((row, index) => ({ ...row, profitPercentage: index as Percent }));
    for (const sortOrder of ['asc', 'desc'] as const) {
      const asked = { skip: 20, limit: 10, sortBy: 'profit_percentage', sortOrder } as const;
      const page = pageOfOpportunities(test.runtime.db, {}, asked, moved);
      const steps = await explainedSteps(test.runtime.db, page);
      const read = steps.filter((step) => step['Relation Name'] === 'opportunity_prices');
      expect(read.map((step) => step['Node Type'])).not.toContain('Seq Scan');
      for (const step of read) expect(step['Actual Rows'] * step['Actual Loops']).toBeLessThanOrEqual(FEW);
      const wide = steps.filter((step) => step['Relation Name'] === 'opportunities');
      expect(wide.map((step) => step['Actual Rows'] * step['Actual Loops'])).toEqual([10]);
    }
  });

  it('by most dollars has behind them, on all pages, what was edited last first', async () => {
    const { db } = test.runtime;
    const stored = await storedOpportunities(db).orderBy(asc(opportunities.id)).limit(MOVED);
    for (const moved of [[], stored]) {
      const rows = [];
      for (let skip = 0; skip < ROWS; skip += 500) {
        const page = pageOfOpportunities(db, {}, { skip, limit: 500, sortBy: 'profit_usd', sortOrder: 'desc' }, moved);
        rows.push(...(await page.execute()));
      }
      const past = rows.filter(({ profitUsd, id }) => profitUsd === null && !moved.some((each) => each.id === id));
      const inOrder = past.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
      expect(rows.findLastIndex(({ profitUsd }) => profitUsd !== null)).toBe(ROWS / 2 - 1);
      expect(past.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    }
  });

  it.each(UNINDEXED)(
    'by %s, which no screen sorts by, reads nothing wide of those it does not show',
    async (sortBy) => {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const page = pageOfOpportunities(test.runtime.db, {}, { skip: 20, limit: 10, sortBy, sortOrder });
        const steps = await explainedSteps(test.runtime.db, page);
        const wide = steps.filter((step) => step['Relation Name'] === 'opportunities');
        expect(wide.map((step) => step['Actual Rows'] * step['Actual Loops'])).toEqual([10]);
      }
    },
  );
});
