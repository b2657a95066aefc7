// How fast a page of 10 out of 100,000 opportunities is answered, sorted by profit; by the whole product on the embedded
// database, or on the empty one that DATABASE_URL names. Budget: 1,500 answers per second, p99 below 25 ms.
//
//     node_modules/.bin/node bench/opportunity-list.ts [rows]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPasswords } from '@dutchbook/server/login/passwords.ts';
import { openSessions } from '@dutchbook/server/login/sessions.ts';
import { start } from '@dutchbook/server/start.ts';
import { ensureFirstSuperuser } from '@dutchbook/server/users/first-superuser.ts';
import { readConfig } from '@dutchbook/server/world/config.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import { users } from '@dutchbook/server/world/schema.ts';
import { sql } from 'drizzle-orm';
import { load } from './http-load.ts';

const ROWS = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 16;
const PER_SECOND_MIN = 1500;
const P99_MS_MAX = 25;
const PAGES = [
  ['by profit', 'sort_by=profit_percentage&sort_order=desc'],
  ['by profit, upwards', 'sort_by=profit_percentage&sort_order=asc'],
  ['by profit, active ones', 'sort_by=profit_percentage&sort_order=desc&active=true'],
  ['by source', 'sort_by=source&sort_order=desc'],
] as const;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
try {
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    VENUE: 'polymarket',
    POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
    POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
    POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
    ...(process.env.DATABASE_URL && { DATABASE_URL: process.env.DATABASE_URL }),
  });
  const authorization = await fill();
  const { url, stop } = await start(config, () => {});
  for (const [name, query] of PAGES) await measure(name, `${url}/api/v1/arbitrage/opportunities?limit=10&${query}`);
  await stop();

  async function fill(): Promise<string> {
    const { world, close } = await openWorld(config);
    await ensureFirstSuperuser(world, createPasswords());
    await world.db.execute(rows());
    await world.db.execute(sql`analyze`);
    const [user] = await world.db.select().from(users);
    if (user === undefined) throw new Error('there is no first superuser');
    const token = await openSessions(world).issue(user);
    await close();
    return `Bearer ${token}`;
  }

  async function measure(name: string, page: string): Promise<void> {
    const before = process.cpuUsage();
    const { perSecond, p50Ms, p99Ms } = await load({
      url: page,
      authorization,
      connections: CONNECTIONS,
      warmUpMs: 2000,
      measureMs: 5000,
    });
    const { user, system } = process.cpuUsage(before);
    const verdict = perSecond >= PER_SECOND_MIN && p99Ms < P99_MS_MAX ? 'holds' : 'MISSED';
    const cpu = `${((user + system) / 1e6).toFixed(1)} s of processor in 7 s`;
    const figures = `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
    say(`${name}: ${figures} (${cpu}); budget ${PER_SECOND_MIN}/s, p99 ${P99_MS_MAX} ms: ${verdict}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One in ten is active and followed, one in a hundred triggered, one in twenty never priced. */
function rows() {
  return sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, current_price, fees_per_set,
      profit_percentage, active, triggered, last_checked, source, content_hash)
    select gen_random_uuid(), now() - n * interval '1 second', now(),
      jsonb_build_array(jsonb_build_object('leg', 1, 'markets', jsonb_build_array(
        jsonb_build_object('id', 'market ' || n, 'outcome', 'Yes'), jsonb_build_object('id', 'other ' || n, 'outcome', 'No')))),
      1000000, case when n % 20 > 0 then 950000 + n % 50000 end, case when n % 20 > 0 then 1000 end,
      case when n % 20 > 0 then (n * 7919) % 10000000 - 5000000 end, n % 10 = 0, n % 100 = 0, now(), 'source ' || n % 1000,
      encode(sha256(n::text::bytea), 'hex')
    from generate_series(1, ${ROWS}) as n`;
}
