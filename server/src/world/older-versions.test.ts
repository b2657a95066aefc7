/**
 * Processes of an older version go on writing to a database that a newer one has migrated. They know the columns of their
 * time and no others: with those alone every table is written, read and emptied here, after all migrations.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { migrationsFolder } from '../folders.ts';
import { DERIVED_TABLES } from './derived-tables.ts';
import { emptyTestDatabase } from './test-server.fixture.ts';
import { testDatabases } from './test-world.ts';

type Journal = { entries: { tag: string }[] };
type Column = { table: string; column: string; type: string };

const journalIn = (folder: string) => path.join(folder, 'meta', '_journal.json');
const journal = JSON.parse(readFileSync(journalIn(migrationsFolder), 'utf8')) as Journal;

/** All that a version writes: what the database makes up by itself is left out. */
const WRITTEN_COLUMNS = `select table_name as table, column_name as column, data_type as type
  from information_schema.columns
  where table_schema = 'public' and is_generated = 'NEVER' and identity_generation is distinct from 'ALWAYS'
  order by table_name, ordinal_position`;
/** Others refer to rows of these, and of these each to the ones before it. */
const REFERRED_TO = ['users', 'opportunities', 'batches', 'batch_orders', 'attempts'];

/** One of each kind: what refers to another row finds the one there is. */
const VALUES: Record<string, string> = {
  uuid: `'00000000-0000-4000-8000-000000000001'`,
  text: `'a'`,
  boolean: 'true',
  integer: '1',
  bigint: '1',
  jsonb: `'{}'`,
  'timestamp with time zone': `'2026-01-01'`,
};

/** What was once written there stays. */
const APPEND_ONLY = new Set(['audit_log']);

async function migrateUpTo(client: Client, count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  writeFileSync(journalIn(folder), JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  await migrate(drizzle(client), { migrationsFolder: folder }).finally(() => rmSync(folder, { recursive: true }));
}

async function tablesKnown(client: Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column>(WRITTEN_COLUMNS);
  const found = Map.groupBy(rows, ({ table }) => table);
  const first = REFERRED_TO.flatMap((table) => [...found].filter(([name]) => name === table));
  return new Map([...first, ...found]);
}

/** Statements as a version writes them that knows these columns. */
function statementsOf(tables: ReadonlyMap<string, Column[]>): string[] {
  const written = [...tables].flatMap(([table, columns]) => {
    const names = columns.map(({ column }) => `"${column}"`).join(', ');
    const values = columns.map(({ type }) => VALUES[type] ?? `no value of type ${type}`).join(', ');
    const same = columns.map(({ column }) => `"${column}" = "${column}"`).join(', ');
    const read = `select ${names} from "${table}"`;
    if (DERIVED_TABLES.includes(table)) return [read];
    const insert = `insert into "${table}" (${names}) values (${values})`;
    const update = APPEND_ONLY.has(table) ? [] : [`update "${table}" set ${same}`];
    return [insert, ...update, read];
  });
  const staying = new Set([...APPEND_ONLY, ...DERIVED_TABLES]);
  const emptied = [...tables.keys()].filter((table) => !staying.has(table)).reverse();
  return [...written, ...emptied.map((table) => `delete from "${table}"`)];
}

describe.runIf(testDatabases.includes('postgres'))('a process of an older version', () => {
  it('reads and writes as before when a newer one has migrated the database', async () => {
    const { url, drop } = await emptyTestDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    const versions: { tag: string; tables: Map<string, Column[]> }[] = [];
    for (const [nth, { tag }] of journal.entries.entries()) {
      await migrateUpTo(client, nth + 1);
      versions.push({ tag, tables: await tablesKnown(client) });
    }
    for (const { tag, tables } of versions) {
      expect(tables.size).toBeGreaterThan(0);
      await client.query('begin');
      for (const statement of statementsOf(tables)) {
        const { rowCount } = await client.query(statement).catch((error: Error) => {
          throw new Error(`after ${tag}: ${statement}: ${error.message}`);
        });
        expect(rowCount, statement).toBeGreaterThan(0);
      }
      await client.query('rollback');
    }
    await client.end();
    await drop();
  });
});
