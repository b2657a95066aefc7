// `npm run rehearse -- --from -2h --set MIN_PROFIT_TRIGGER_THRESHOLD=0.5`: what other settings would have done with what the product
// in DATA_DIR has recorded, whether it runs or not. docs/recordings.md has more.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { rehearsalDifference, rehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { pino } from 'pino';
import * as z from 'zod/mini';
import { CommandRefused } from './memory/recordings/command-line.ts';
import { parseRehearse, sayRehearsed } from './memory/rehearsals/command.ts';
import { runRehearsal } from './memory/rehearsals/run.ts';
import { openOwnPostgres } from './platform/database/own-postgres/own-postgres.ts';
import { findRunningPostgres } from './platform/database/own-postgres/running-postgres.ts';
import { realClock } from './platform/runtime/clock.ts';

type Opened = AsyncDisposable & { url: string };

const say = (line: string) => void process.stdout.write(`${line}\n`);
const nothingToClose = async () => {};

/** That of the product, which may run meanwhile. */
async function openDatabase(databaseUrl: string | null, dataDir: string): Promise<Opened> {
  const running = databaseUrl ?? findRunningPostgres(dataDir);
  if (running !== null) return { url: running, [Symbol.asyncDispose]: nothingToClose };
  if (!existsSync(path.join(dataDir, 'database')))
    throw new CommandRefused(`There is no database in ${dataDir}: DATA_DIR names where it is.`);
  const { url, stop } = await openOwnPostgres(dataDir, pino({ level: 'error' }));
  return { url, [Symbol.asyncDispose]: stop };
}

try {
  const { isJson, ...asked } = parseRehearse(process.argv.slice(2), realClock.now());
  const { DATA_DIR, DATABASE_URL, VENUE } = process.env;
  const dataDir = path.resolve(DATA_DIR || './data');
  const venue = VENUE || 'simulated';
  await using opened = await openDatabase(DATABASE_URL || null, dataDir);
  const pool = new pg.Pool({ connectionString: opened.url, max: 2, application_name: 'dutchbook rehearse' });
  const { result, differences } = await runRehearsal({
    ...{ db: drizzle(pool), folder: path.join(dataDir, 'recordings', venue), venue, ...asked },
    ...{ onProgress: () => {}, signal: new AbortController().signal },
  }).finally(() => pool.end());
  const wire = z.encode(rehearsalResult, result);
  if (isJson)
    say(JSON.stringify({ result: wire, differences: differences.map((each) => z.encode(rehearsalDifference, each)) }));
  else for (const line of sayRehearsed(result, differences)) say(line);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
