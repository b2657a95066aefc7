// `npm run copy-settings -- --to postgresql://…`: what people have set and approved in paper trading, into the database of a new
// installation on a real venue. docs/operating.md says when.
import { parseArgs } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { CopyRefused, copySettings } from './installation/copy-settings.ts';
import { openStoppedDatabase } from './open-stopped-database.ts';
import { migrate } from './platform/database/migrations.ts';
import { realClock } from './platform/runtime/clock.ts';

/** The database there, with its tables as the product would make them at its first start. */
async function opened(connectionString: string, closing: AsyncDisposableStack) {
  const pool = new pg.Pool({ connectionString });
  closing.defer(() => pool.end());
  await migrate(pool);
  return drizzle(pool);
}

try {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (to === undefined || URL.parse(to)?.protocol.startsWith('postgres') !== true)
    throw new CopyRefused('Say where to: npm run copy-settings -- --to postgresql://user:password@host/database');
  await using closing = new AsyncDisposableStack();
  const source = closing.use(await openStoppedDatabase());
  const [from, into] = [await opened(source.url, closing), await opened(to, closing)];
  const { settings, relations, approvals } = await copySettings(from, into, realClock);
  process.stdout.write(
    `Copied ${settings} settings, ${relations} relations and ${approvals} approved series. No money and no batch was taken. ` +
      'Start with that DATABASE_URL, VENUE=polymarket and a DATA_DIR of its own.\n',
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
