import { type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../runtime/runtime.ts';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Sort Method'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
};

/** What the database does for a statement, once it has done it: its steps, and how many rows they passed on. */
export async function explainedSteps(db: Db, statement: SQLWrapper): Promise<Plan[]> {
  const answered = await db.execute(sql`explain (analyze, timing off, format json) ${statement}`);
  const [row] = (answered as { rows: { 'QUERY PLAN': string | [{ Plan: Plan }] }[] }).rows;
  const answer = row?.['QUERY PLAN'];
  const [whole] = typeof answer === 'string' ? (JSON.parse(answer) as [{ Plan: Plan }]) : (answer ?? []);
  if (whole === undefined) throw new Error('the database did not explain the statement');
  return flattened(whole.Plan);
}

function flattened(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flattened)];
}
