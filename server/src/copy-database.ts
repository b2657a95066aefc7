// `npm run copy-database -- --to postgresql://…`: everything in the product's database, the embedded one or the one that
// DATABASE_URL names, into an empty PostgreSQL. docs/operating.md says when.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { CopyRefused, copyDatabase } from './copying/copy-database.ts';
import { openEmbeddedDatabase } from './world/embedded-database.ts';
import { migratePostgres } from './world/migrations.ts';
import type { Session } from './world/unfinished-copy.ts';

type Opened = AsyncDisposable & { session: Session };

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function openPostgres(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { session: client, [Symbol.asyncDispose]: () => client.end() };
}

async function openSource(): Promise<Opened> {
  if (process.env.DATABASE_URL) return openPostgres(process.env.DATABASE_URL);
  const folder = path.join(path.resolve(process.env.DATA_DIR ?? './data'), 'database');
  if (!existsSync(folder)) throw new CopyRefused(`There is no database in ${folder}: DATA_DIR names where it is.`);
  const { client, release } = await openEmbeddedDatabase(folder);
  return { session: client as Session, [Symbol.asyncDispose]: () => client.close().finally(release) };
}

/** Its tables and the queue's, as the product would make them at its first start. */
async function layOutTarget(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await migratePostgres(pool).finally(() => pool.end());
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

try {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (to === undefined || URL.parse(to)?.protocol.startsWith('postgres') !== true)
    throw new CopyRefused('Say where to: npm run copy-database -- --to postgresql://user:password@host/database');
  await layOutTarget(to);
  await using source = await openSource();
  await using target = await openPostgres(to);
  await copyDatabase(source.session, target.session, say);
  say('All tables are the same. Set DATABASE_URL to that address, keep DATA_DIR as it is, and start.');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
