/** Statements whose text is made once, because making it takes longer than what is then sent. */
import { type Column, is, Param, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

const dialect = new PgDialect();

/** A placeholder of a value as `column` stores it. */
export const slot = (name: string, column: Column): SQLWrapper => sql.param(sql.placeholder(name), column);

type Slot = { name: string; stored: (value: unknown) => unknown };

/** What stands between the slots is one text longer than there are slots. */
type Pieces = { texts: SQL[]; slots: Slot[] };

/**
 * `build` is called once, and gives slots or placeholders for what differs from call to call. All else that it gives as a
 * value stands in the text, where the database sees which of its partial indexes have what is asked for.
 */
export function compiled<Given = void>(
  build: (given: Given) => SQLWrapper,
): (values: Readonly<Record<string, unknown>>, given: Given) => SQL {
  let made: Pieces | null = null;
  return (values, given) => {
    made ??= piecesOf(build(given));
    const { texts, slots } = made;
    return sql.join(texts.flatMap((text, nth) => [text, ...paramsOf(slots[nth], values)]));
  };
}

function paramsOf(at: Slot | undefined, values: Readonly<Record<string, unknown>>): SQLWrapper[] {
  if (at === undefined) return [];
  const value = values[at.name];
  if (value === undefined) throw new Error(`nothing was given for ${at.name}`);
  return [sql.param(value === null ? null : at.stored(value))];
}

function piecesOf(statement: SQLWrapper): Pieces {
  const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
  const slots: Slot[] = [];
  const texts: string[] = [];
  let last = '';
  // Drizzle numbers parameters as they come, each once.
  for (const [nth, part] of text.split(/\$\d+/).entries()) {
    last += part;
    const param: unknown = params[nth];
    const at = slotOf(param);
    if (at !== null) {
      slots.push(at);
      texts.push(last);
      last = '';
    } else if (nth < params.length) last += literal(param);
  }
  return { texts: [...texts, last].map((each) => sql.raw(each)), slots };
}

function slotOf(param: unknown): Slot | null {
  if (is(param, Placeholder)) return { name: param.name, stored: (value) => value };
  if (!is(param, Param) || !is(param.value, Placeholder)) return null;
  const { encoder, value } = param;
  return { name: value.name, stored: (given) => encoder.mapToDriverValue(given) };
}

/** A value out of the program, never one that somebody sent. */
function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && !/[\\']/.test(value)) return `'${value}'`;
  throw new Error(`${JSON.stringify(value)} does not stand in a compiled statement`);
}
