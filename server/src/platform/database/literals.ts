import { type SQL, sql } from 'drizzle-orm';

/**
 * Values out of the program, as they stand in a statement between commas: the planner sees which partial index has what is asked for,
 * which it does not of a parameter.
 */
export function literals(texts: readonly string[]): SQL {
  if (texts.some((text) => /[\\']/.test(text))) throw new Error(`${texts.join()} could end the text of a statement`);
  return sql.raw(texts.map((text) => `'${text}'`).join(', '));
}
