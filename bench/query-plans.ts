/** What the product asks PostgreSQL, and whether the answer comes from an index. */
import type { DatabasePool } from '@dutchbook/server/database/pool.ts';
import type { Db } from '@dutchbook/server/runtime.ts';

export type SeenQuery = { text: string; values: readonly unknown[] };

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

/** Notes from now on what is asked outside of transactions, in every pool. */
export function recordQueries(pool: DatabasePool): SeenQuery[] {
  const seen: SeenQuery[] = [];
  const query = pool.query as (...given: unknown[]) => unknown;
  pool.query = function noted(this: DatabasePool, ...given: unknown[]) {
    const [config, values] = given as [string | { text: string }, readonly unknown[] | undefined];
    seen.push({ text: typeof config === 'string' ? config : config.text, values: Array.isArray(values) ? values : [] });
    return query.apply(this, given);
  } as DatabasePool['query'];
  return seen;
}

/** One line for every reading of a whole table in the plans of the queries. */
export async function sequentialScans(
  db: Db,
  queries: readonly SeenQuery[],
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const { $client: pool } = db as unknown as { $client: DatabasePool };
  const found: string[] = [];
  for (const { text, values } of queries) {
    const { rows } = await pool.query(`explain (format json) ${text}`, [...values]);
    const plans = rows[0]['QUERY PLAN'] as { Plan: Plan }[];
    for (const table of plans.flatMap(({ Plan }) => scansOf(Plan))) {
      if (tables.has(table)) found.push(`the whole of ${table} for ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
    }
  }
  return found;
}

function scansOf(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  return plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '', ...below] : below;
}
