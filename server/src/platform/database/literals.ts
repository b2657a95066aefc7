import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

/**
 * Values out of the program, as they stand in a statement between commas: the planner sees which partial index has what is asked for,
 * which it does not of a parameter.
 */
export function literals(texts: readonly string[]): SQL {
  if (texts.some((text) => /[\\']/.test(text))) throw new Error(`${texts.join()} could end the text of a statement`);
  return sql.raw(texts.map((text) => `'${text}'`).join(', '));
}

/** A term without parameters as one text: a statement is put together faster of few pieces. */
export function asText(term: SQL): SQL {
  const { sql: text, params } = new PgDialect().sqlToQuery(term);
  if (params.length > 0) throw new Error(`${text} has parameters`);
  return sql.raw(text);
}
