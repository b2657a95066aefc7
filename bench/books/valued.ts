// What does a changed level cost where opportunities are valued by it: processor time of the server's process, all its threads,
// and of its PostgreSQL, beside that of a process that has the adapter and its books alone. Both at once, on the same frames, of which
// one in fifty moves the best price of its book, as in a recorded game. Budget: twice adapter and books.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMsOf } from '../processes.ts';
import { connect, openDatabase } from '../product.ts';
import { say, tell } from '../rows.ts';
import { conditionOf, madeCatalogue } from '../whole-market/made-catalogue.ts';
import { openStandInVenue } from '../whole-market/stand-in.ts';
import type { FollowerTask } from './follower-process.ts';

const OPPORTUNITIES = 10_000;
const POSITIONS = 4;
/** Each token is in two opportunities on average. */
const MARKETS = madeCatalogue((OPPORTUNITIES * POSITIONS) / 4).markets;
/** Each frame changes a level of both tokens of its market. */
const LEVELS_A_FRAME = 2;
const CHANGES_PER_SECOND = 5000;
/** As long as a price waits to be written, and more. */
const WARM_UP_MS = 25_000;
const MEASURE_MS = 20_000;

await using venue = await openStandInVenue(MARKETS);
await using database = await openDatabase();
await using db = await connect(database);
await addOpportunities();
const addresses = {
  clobUrl: venue.url,
  gammaUrl: `${venue.url}/gamma`,
  wsUrl: `${venue.url.replace('http', 'ws')}/ws`,
};
const books = await openFollower({ markets: MARKETS, addresses });
const valued = await openFollower({ markets: MARKETS, addresses, variables: database.variables });
venue.command({ changesPerSecond: CHANGES_PER_SECOND / LEVELS_A_FRAME, nearness: 0.8 });
await pause(WARM_UP_MS);
const [{ sent }, before] = [await venue.counts(), await usedMs()];
await pause(MEASURE_MS);
const [after, levels] = [await usedMs(), ((await venue.counts()).sent - sent) * LEVELS_A_FRAME];
for (const { child, name } of [books, valued]) {
  child.send('report');
  const [isFollowing] = (await once(child, 'message')) as [boolean];
  if (!isFollowing) say(`  ${name} does not trust all of its books, read this figure with care`);
}
const usOf = (of: keyof typeof before) => {
  const ms = [...after[of]].reduce((sum, [pid, used]) => sum + used - (before[of].get(pid) ?? 0), 0);
  return (ms * 1000) / levels;
};
say(`  server ${usOf('server').toFixed(1)}, database ${usOf('database').toFixed(1)} us`);
const [tokens, changes, count] = [MARKETS * 2, CHANGES_PER_SECOND, OPPORTUNITIES].map((one) =>
  one.toLocaleString('en'),
);
tell({
  question: `a changed level, ${tokens} tokens, ${changes} changes/s, ${count} opportunities: server and database`,
  ...{ figure: usOf('server') + usOf('database'), unit: 'us', budget: { floorTimes: 2 } },
  floor: { figure: usOf('books'), of: 'adapter and books' },
});
for (const { child } of [books, valued]) {
  child.disconnect();
  await once(child, 'exit');
}

/** Resolves when it follows all books. */
async function openFollower(task: FollowerTask) {
  const child = fork(join(import.meta.dirname, 'follower-process.ts'), [JSON.stringify(task)], { execArgv: [] });
  await once(child, 'message');
  return { child, name: task.variables === undefined ? 'books' : 'valued' };
}

/** So far, of each process: of the PostgreSQL server those that work for this database, or for all. */
async function usedMs() {
  const { rows } = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname is null or datname = current_database()',
  );
  const usedBy = (pids: readonly number[]) => new Map(pids.map((pid) => [pid, cpuMsOf(pid)]));
  return {
    books: usedBy([books.child.pid ?? 0]),
    server: usedBy([valued.child.pid ?? 0]),
    database: usedBy(rows.map(({ pid }) => pid)),
  };
}

/** Positions spread over all tokens, and a target that no price reaches. */
async function addOpportunities(): Promise<void> {
  const positionAt = (nth: number, leg: number) => {
    const token = (nth * POSITIONS + leg * (OPPORTUNITIES - 1)) % (MARKETS * 2);
    const outcome = token % 2 === 0 ? 'Yes' : 'No';
    return { leg: leg + 1, markets: [{ id: conditionOf(Math.floor(token / 2)), outcome }] };
  };
  const combinations = Array.from({ length: OPPORTUNITIES }, (_, nth) =>
    Array.from({ length: POSITIONS }, (_, leg) => positionAt(nth, leg)),
  );
  await db.query(
    `with stored as (
      insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash)
      select gen_random_uuid(), now(), now(), legs, 10000, true, encode(sha256(n::text::bytea), 'hex')
      from jsonb_array_elements($1) with ordinality as made (legs, n)
      returning id, updated_at
    )
    insert into opportunity_prices (opportunity_id, edited_at, last_checked) select id, updated_at, updated_at from stored`,
    [JSON.stringify(combinations)],
  );
  await db.query('vacuum analyze');
}
