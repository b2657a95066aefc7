import { instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { batches } from '../../trading/orders/table.ts';
import { compiled, slot } from './compiled.ts';

const ID = '0b9cdd3e-0f5f-4f9d-9f0a-3d7f0f5a1c11';
const textOf = (statement: Parameters<PgDialect['sqlToQuery']>[0]) => new PgDialect().sqlToQuery(statement);

describe('a compiled statement', () => {
  const moved = compiled(
    () =>
      sql`select ${sql.placeholder('what')} from ${batches} where ${and(
        inArray(batches.status, ['pending', 'processing']),
        eq(batches.updatedAt, slot('at', batches.updatedAt)),
        eq(batches.id, slot('id', batches.id)),
      )}`,
  );

  it('has its values in the order in which it asks for them, as their columns store them, and its own ones in the text', () => {
    const { sql: text, params } = textOf(moved({ id: ID, at: instantFromMs(0), what: null }));
    expect(text).toBe(
      `select $1 from "batches" where ("batches"."status" in ('pending', 'processing') and "batches"."updated_at" = $2 and "batches"."id" = $3)`,
    );
    expect(params).toEqual([null, '1970-01-01T00:00:00.000Z', ID]);
  });

  it('is numbered anew within another one', () => {
    const { sql: text, params } = textOf(sql`with a as (select ${1}) ${moved({ id: ID, at: null, what: 'id' })}`);
    expect(text).toContain('select $2 from');
    expect(params).toEqual([1, 'id', null, ID]);
  });

  it('is not made where a value was forgotten, or one of its own could end its text', () => {
    expect(() => moved({ id: ID, what: 'id' })).toThrow('nothing was given for at');
    expect(() => compiled(() => eq(batches.lastError, "it's over"))({})).toThrow('does not stand');
  });
});
