// `npm run copy-database -- --to postgresql://…`: everything in the product's database, its own one or the one that
// DATABASE_URL names, into an empty PostgreSQL. docs/operating.md says when.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { CopyRefused, copyDatabase } from './platform/copying/copy-database.ts';
import { migrate } from './platform/database/migrations.ts';
import { openOwnPostgres } from './platform/database/own-postgres/own-postgres.ts';

type Opened = AsyncDisposable & { url: string };

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function openSource(): Promise<Opened> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, [Symbol.asyncDispose]: async () => {} };
  const dataDir = path.resolve(process.env.DATA_DIR ?? './data');
  if (!existsSync(path.join(dataDir, 'database')))
    throw new CopyRefused(`There is no database in ${dataDir}: DATA_DIR names where it is.`);
  const { url, stop } = await openOwnPostgres(dataDir, pino({ level: 'error' }));
  return { url, [Symbol.asyncDispose]: stop };
}

/** Its tables and the queue's, as the product would make them at its first start. */
async function layOutTarget(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await migrate(pool).finally(() => pool.end());
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
  await copyDatabase(source.url, to, say);
  say('All tables are the same. Set DATABASE_URL to that address, keep DATA_DIR as it is, and start.');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
