import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmbeddedClient } from './embedded-client.ts';
import { keepStatements } from './embedded-statements.ts';
import { type LentPglite, lendPglite } from './lent-pglite.fixture.ts';
import { migratedDump } from './migrated-dump.fixture.ts';

const migrated = await migratedDump();

let lent: LentPglite;
let kept: EmbeddedClient;
beforeEach(async () => {
  lent = await lendPglite(migrated);
  kept = keepStatements(lent.client, 3);
});
afterEach(() => lent.giveBack());

/** The same three times: as PGlite asks, as it is kept, and as it was kept. */
async function thrice<Answer>(ask: () => Promise<Answer>): Promise<Answer[]> {
  return [await ask(), await ask(), await ask()];
}

const VALUES = `select $1::int as n, $2::text as text, $3::jsonb as json, $4::timestamptz as at, $5::bool as yes,
  $6::text[] as list, $7::bigint as large, null as none`;
const GIVEN = [7, 'Zoë', { a: [1] }, '2026-01-02T03:04:05.678Z', true, ['x', 'y'], 123456789012345];

it("answers what PGlite answers, in either shape of rows and with parsers of the statement's own", async () => {
  for (const rowMode of ['object', 'array'] as const) {
    const options = { rowMode, parsers: { 1184: (text: string) => text } };
    const [plain, ...again] = await thrice(() => kept.query(VALUES, GIVEN, options));
    expect(again).toEqual([plain, plain]);
    expect(plain).toEqual(await lent.client.query(VALUES, GIVEN, options));
  }
});

it('tells how many rows were written, and answers none', async () => {
  const text = `insert into items (id, owner_id, title, created_at) select gen_random_uuid(), id, 'x', now() from users`;
  const [plain, ...again] = await thrice(() => kept.query(text));
  expect(plain).toMatchObject({ rows: [], affectedRows: 0, command: 'INSERT' });
  expect(again).toEqual([plain, plain]);
});

it('is one call to the database for what comes again', async () => {
  const send = vi.spyOn(lent.client, 'execProtocolStream');
  await thrice(() => kept.query('select $1::int as n', [1]));
  send.mockClear();
  await kept.query('select $1::int as n', [1]);
  expect(send).toHaveBeenCalledTimes(1);
});

it('gives up the one that was asked longest ago, and answers it all the same', async () => {
  for (const _ of [1, 2, 3]) {
    for (const n of [1, 2, 3, 4, 5]) expect((await kept.query(`select ${n} as n`)).rows).toEqual([{ n }]);
  }
  const { rows } = await kept.query('select count(*)::int as count from pg_prepared_statements');
  expect(rows).toEqual([{ count: 3 }]);
});

it('tells what is wrong, and goes on: with a statement, with its values, in the middle of a transaction', async () => {
  for (const _ of [1, 2, 3]) {
    await expect(kept.query('select 1 / $1::int as n', [0])).rejects.toThrow('division by zero');
    await expect(kept.query('select nothing')).rejects.toThrow('does not exist');
    expect((await kept.query('select 1 / $1::int as n', [1])).rows).toEqual([{ n: 1 }]);
    const transaction = kept.transaction(async (tx) => {
      await tx.query('select 1 / $1::int as n', [1]);
      await tx.query('select 1 / $1::int as n', [0]);
    });
    await expect(transaction).rejects.toThrow('division by zero');
  }
});
