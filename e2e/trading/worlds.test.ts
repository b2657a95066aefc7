/** Dollars of one world never count in another: what `npm start` says where it would mix them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { migratedDatabase } from '../product/database.ts';
import { runProgram } from '../product/process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dutchbook-worlds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Where nothing answers, so that nothing of a real venue is called. */
const NOWHERE = {
  POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
  POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
  POLYMARKET_DATA_URL: 'http://127.0.0.1:9/data-api',
  POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
};

const VENUES = { simulated: { VENUE: 'simulated' }, polymarket: { VENUE: 'polymarket', ...NOWHERE } };

const npmStart = (venue: keyof typeof VENUES, env: Record<string, string> = {}) =>
  runProgram('npm', ['start'], {
    ...{
      DATA_DIR: folder,
      PORT: '0',
      EXCHANGE_PORT: '0',
      DISCOVERY: 'off',
      LOG_LEVEL: 'fatal',
      API_DOCUMENT: 'when_asked',
    },
    ...VENUES[venue],
    ...env,
  });

async function expectStarted(venue: keyof typeof VENUES): Promise<void> {
  const running = npmStart(venue);
  await running.line(/Dutchbook listens on/);
  running.kill('SIGTERM');
  await running.ended;
}

/** @returns the sentence that says why it did not start */
async function refusalOf(venue: keyof typeof VENUES, env: Record<string, string> = {}): Promise<string> {
  const running = npmStart(venue, env);
  const { code } = await running.ended;
  expect(code, running.output()).toBe(1);
  expect(running.output()).not.toContain('Dutchbook listens');
  expect(running.output()).toContain('The server has ended by itself, with code 1.');
  return running.output();
}

/** Each program that `npm start` starts costs seconds; `claim.test.ts` of the server has all ways to mix them. */
const PER_CHANGE = 1;

const FOLDERS = [
  ['simulated', 'polymarket', 'the simulated exchange'],
  ['polymarket', 'simulated', 'a real venue'],
] as const;

test.each(chosenNow(FOLDERS, PER_CHANGE, String))(
  'a data folder of VENUE=%s does not start with VENUE=%s',
  async (own, other, holds) => {
    await expectStarted(own);
    const refusal = await refusalOf(other);
    expect(refusal).toContain(`The data folder ${folder} holds data of ${holds} since `);
    expect(refusal).toContain(`name an empty folder in DATA_DIR, or start with VENUE=${own}.`);
  },
);

test.each(chosenNow(['simulated', 'polymarket'] as const, PER_CHANGE, String))(
  'a database of paper trading does not start with VENUE=%s',
  async (other) => {
    const url = await migratedDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("insert into installation values (true, 'paper', now())");
    await client.end();
    const refusal = await refusalOf(other, { DATABASE_URL: url });
    expect(refusal).toContain(
      `The database ${new URL(url).pathname.slice(1)} on ${new URL(url).host} holds data of paper trading`,
    );
    expect(refusal).toContain('or start with VENUE=paper.');
  },
);
