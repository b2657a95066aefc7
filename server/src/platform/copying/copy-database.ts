import { Client } from 'pg';
import { markUnfinishedCopy, removeUnfinishedCopyMark, sourceOfUnfinishedCopy } from '../database/unfinished-copy.ts';
import { copyRows, type Digest, digestOf, type Table, tablesOf } from './table-copy.ts';

/** Why nothing, or no more, can be copied; the message says what to do. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** Written by triggers alone, from the rows of other tables. */
const DERIVED = ['public.opportunity_counts', 'public.notification_counts'];

/** Whatever a server is set to, values have one text that means the same on another. */
const SAME_TEXT = "set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'";

/** The product's own tables, and the queue's with what waits in it. */
const SCHEMAS = ['public', 'pgboss'];

/**
 * Copies everything from one database of the product to another of the same version that was never used, and compares every
 * table. Broken off, it is called again and goes on: a table is there wholly or not at all. Until the end the target is
 * marked as unfinished, and the product does not start on it (`refuseUnfinishedCopy`).
 * @throws CopyRefused when versions differ, or when the target holds something else
 */
export async function copyDatabase(from: string, to: string, say: (line: string) => void): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const [source, target] = [await connect(from, opened), await connect(to, opened)];
  await refuseOtherVersion(source, target);
  await markOrGoOn(source, target);
  // All tables as they are at one moment.
  await source.query('begin isolation level repeatable read read only');
  for (const schema of SCHEMAS) {
    for (const table of await tablesOf(source, schema)) {
      if (!DERIVED.includes(table.name)) say(`${table.name}: ${await copyTable(source, target, table)}`);
    }
    await copySequences(source, target, schema);
  }
  await removeUnfinishedCopyMark(target);
}

async function connect(connectionString: string, opened: AsyncDisposableStack): Promise<Client> {
  const client = new Client({ connectionString });
  // The statement that a broken connection fails is what tells of it.
  client.on('error', () => {});
  opened.defer(() => client.end());
  await client.connect();
  await client.query(SAME_TEXT);
  return client;
}

async function copyTable(source: Client, target: Client, table: Table): Promise<string> {
  const [wanted, found] = await Promise.all([digestOf(source, table), digestOf(target, table)]);
  if (isSame(wanted, found)) return `${wanted.rows} rows, the same`;
  // The queue writes rows of its own when it is laid out.
  if (table.name.startsWith('pgboss.')) await target.query(`delete from ${table.name}`);
  else if (found.rows !== '0') throw new CopyRefused(`${table.name} on the target has ${found.rows} other rows.`);
  await copyRows(source, target, table);
  if (!isSame(wanted, await digestOf(target, table))) {
    throw new Error(`${table.name} is not the same after copying: was something else writing to it?`);
  }
  return `${wanted.rows} rows, copied and compared`;
}

function isSame(one: Digest, other: Digest): boolean {
  return one.rows === other.rows && one.sum === other.sum;
}

async function refuseOtherVersion(source: Client, target: Client): Promise<void> {
  for (const version of [
    'select string_agg(hash, chr(10) order by id) as version from drizzle.__drizzle_migrations',
    'select version::text as version from pgboss.version',
  ]) {
    const [from, to] = await Promise.all([source.query(version), target.query(version)]);
    if (from.rows[0]?.version !== to.rows[0]?.version) {
      throw new CopyRefused(
        'The database is of another version: start and stop this version of the product on it first.',
      );
    }
  }
}

async function markOrGoOn(source: Client, target: Client): Promise<void> {
  const id = await identityOf(source);
  if ((await identityOf(target)) === id) throw new CopyRefused('The target is the database to copy: give another one.');
  const begun = await sourceOfUnfinishedCopy(target);
  if (begun === id) return;
  if (begun !== null)
    throw new CopyRefused('The target holds an unfinished copy of another database: give an empty one.');
  if (!(await isEmpty(target))) throw new CopyRefused('The target database is in use: give an empty one.');
  await markUnfinishedCopy(target, id);
}

/** A queue has rows from the moment it is laid out. */
async function isEmpty(target: Client): Promise<boolean> {
  for (const { name } of await tablesOf(target, 'public')) {
    if (DERIVED.includes(name)) continue;
    if (((await target.query(`select 1 from ${name} limit 1`)).rowCount ?? 0) > 0) return false;
  }
  return true;
}

/** The server, and the database on it. */
async function identityOf(database: Client): Promise<string> {
  const { rows } = await database.query(
    `select concat(system_identifier, '/', d.oid) as id from pg_control_system(), pg_database d
     where d.datname = current_database()`,
  );
  return String(rows[0]?.id);
}

async function copySequences(source: Client, target: Client, schema: string): Promise<void> {
  const { rows } = await source.query(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
     where schemaname = $1 and last_value is not null`,
    [schema],
  );
  for (const { name, last } of rows) await target.query('select setval($1::regclass, $2::bigint)', [name, last]);
}
