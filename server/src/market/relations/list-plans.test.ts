import { RELATION_SORTS } from '@dutchbook/contract/relations.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../../platform/database/explained-steps.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { pageOfRelations, type RelationFilter } from './store.ts';

const RELATIONS = 4000;
const PAGE = { skip: 20, limit: 10 };
const LOOKED_AT_MAX = 200;
/** What the screen sorts by. */
const BY_INDEX: ReadonlySet<string> = new Set([
  'event_title',
  'kind',
  'basis',
  'state',
  'distance',
  'profit_usd',
  'last_hit_at',
]);
const FILTERS: readonly RelationFilter[] = [{ kind: 'pair' }, { state: 'proposed' }, { basis: 'enforced' }];

/** One in nine has ended, of one in three nothing is known yet. */
async function fill({ runtime: { db } }: TestRuntime): Promise<void> {
  await db.execute(sql`
    insert into relations (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title, members,
      read_from, is_complete, completeness, is_void_safe, fingerprint, snapshot, trusted, ended_at)
    select gen_random_uuid(), now() + n * interval '1 s', now(), 'key ' || n,
      case n % 3 when 0 then 'ladder' when 1 then 'pair' else 'exactly_one' end,
      case n % 2 when 0 then 'enforced' else 'parsed' end, case n % 4 when 0 then 'approved' else 'proposed' end,
      'event ' || n % 500, 'Event ' || n % 500, 'Title ' || n % 40, '[]', '[]', true, '', true, '', '{}', '{}',
      case when n % 9 = 0 then now() end
    from generate_series(1, ${RELATIONS}) as n`);
  await db.execute(sql`
    insert into relation_prices (relation_id, distance, distance_with_voids, profit, size, quoted, hits, first_hit_at, last_hit_at)
    select id, case when n % 3 > 0 then n % 900 end, n % 7, n % 800, n % 9, n % 5, n % 6,
      case when n % 3 > 1 then now() - n * interval '1 s' end, case when n % 3 > 1 then now() + n * interval '1 s' end
    from (select id, row_number() over (order by key) as n from relations) numbered`);
  await db.execute(sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash, relation_id)
    select gen_random_uuid(), now(), now(), '[]', 1, false, id::text, id from relations where kind = 'ladder'`);
  await db.execute(sql`
    insert into relation_hits (id, relation_id, direction, first_at, last_at, ended_at, net, profit, size)
    select gen_random_uuid(), relations.id, 'yes', now(), now(), case when n > 1 or kind <> 'ladder' then now() end, n, n, n
    from relations, generate_series(1, 3) as n`);
  await db.execute(sql`analyze`);
}

describe('a page of relations', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await fill(test);
  });
  afterAll(() => test.close());

  it.each(RELATION_SORTS)('by %s is read from an index or takes one bounded sort, both ways', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      const pageOf = (filter: RelationFilter) =>
        pageOfRelations(test.runtime.db, filter, { ...PAGE, sortBy, sortOrder });
      const steps = await explainedSteps(test.runtime.db, pageOf({}));
      const rows = Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
      if (BY_INDEX.has(sortBy)) {
        expect(rows, `rows looked at, ${sortOrder}`).toBeLessThanOrEqual(LOOKED_AT_MAX);
        for (const filter of FILTERS) steps.push(...(await explainedSteps(test.runtime.db, pageOf(filter))));
        expect(steps.map((step) => step['Node Type'])).not.toContain('Seq Scan');
      } else {
        // Those of one row are of the opportunities that one relation has.
        const sorts = steps.filter((step) => step['Node Type'].endsWith('Sort') && step['Actual Rows'] > 1);
        const bounded = ['top-N heapsort', 'Incremental Sort'];
        expect(sorts.every((step) => bounded.includes(step['Sort Method'] ?? step['Node Type']))).toBe(true);
        expect(sorts.every((step) => step['Actual Rows'] <= PAGE.skip + PAGE.limit)).toBe(true);
      }
    }
  });
});
