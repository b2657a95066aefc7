// `npm run copy-database -- --to postgresql://…`: everything in the product's database, its own one or the one that
// DATABASE_URL names, into an empty PostgreSQL. docs/operating.md says when.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { openStoppedDatabase } from './open-stopped-database.ts';
import { CopyRefused, copyDatabase } from './platform/copying/copy-database.ts';
import { migrate } from './platform/database/migrations.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

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
  await using source = await openStoppedDatabase();
  await copyDatabase(source.url, to, say);
  say('All tables are the same. Set DATABASE_URL to that address, keep DATA_DIR as it is, and start.');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
