/**
 * One product after another on one database, each with a point at which to die: what it leaves is taken up by the next
 * one, which dies at another point. So every start but the first is also a recovery.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CrashPoint } from '@dutchbook/server/platform/runtime/crash-point.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { startExchange } from '../product/exchange.ts';
import { kalshiControls, kalshiEnv } from '../product/kalshi-controls.ts';
import { type Running, run } from '../product/process.ts';
import { launchProduct, type Product, signedInProduct } from '../product/product.ts';
import { CHEAP_ASK, cheapThreeWay, type ThreeWay } from '../product/three-way.ts';

/** Matters only to a process that does not end: a lease of the one before it has to run out first. */
const END_WITHIN_MS = 120_000;

/** Enough to see why something failed. */
const LINES_SHOWN = 10;

export type Chain = Awaited<ReturnType<typeof openChain>>;

/**
 * An exchange and an empty database, before the first product starts: one of the products' own unless `databaseEnv` names another.
 * `venue`: where sets are bought; the products trade at both where it is not the first.
 */
export async function openChain(databaseEnv: Record<string, string> = {}, venue: VenueName = 'polymarket') {
  const { stop, ...first } = await startExchange();
  const exchange = venue === 'polymarket' ? first : { ...first, ...kalshiControls(first.url) };
  const venueEnv: Record<string, string> = venue === 'polymarket' ? {} : kalshiEnv(first.url);
  const newFolder = () => mkdtemp(join(tmpdir(), 'dutchbook-kill-'));
  let dataDir = await newFolder();
  const { close, ...products } = productsInSequence((env) =>
    launchProduct(exchange.url, dataDir, { ...venueEnv, ...databaseEnv, ...env }),
  );
  return {
    exchange,
    ...products,
    ...setsToBuy((nth, ask) => cheapThreeWay(exchange, products.product(), nth, ask, venue)),
    /** Ends the database that the product which died has left, as `kill -INT` on the process its pid file names. */
    endDatabase: () => endDatabaseIn(dataDir),
    /** From now on the products run on a copy of the data folder, and the one before is gone. */
    async restoreElsewhere(): Promise<void> {
      const restored = await newFolder();
      await promisify(execFile)('cp', ['-a', `${dataDir}/.`, restored]);
      await rm(dataDir, { recursive: true });
      dataDir = restored;
    },
    /** Copies the products' own database to `url`; from now on the products run there. Returns how the command ended, and what it said. */
    async moveTo(url: string) {
      const copying = run('server/src/copy-database.ts', { DATA_DIR: dataDir }, ['--to', url]);
      const { code } = await copying.ended;
      databaseEnv.DATABASE_URL = url;
      return { code, said: copying.output() };
    },
    async close(): Promise<void> {
      await close();
      await stop();
      await endDatabaseIn(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function endDatabaseIn(dataDir: string): Promise<void> {
  const file = join(dataDir, 'database/data/postmaster.pid');
  if (!existsSync(file)) return;
  process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGINT');
  await eventually('the database has ended', async () => (existsSync(file) ? null : true));
}

function productsInSequence(launchWith: (env: Record<string, string>) => Running) {
  let running: Running | null = null;
  let product: Product | null = null;
  let kills = 0;

  function launch(crashAt: CrashPoint | null): Running {
    product = null;
    running = launchWith(crashAt === null ? {} : { CRASH_AT: crashAt });
    return running;
  }

  function current(): Product {
    if (product === null) throw new Error('no product of the chain listens');
    return product;
  }

  async function dies(): Promise<void> {
    if (running === null) throw new Error('no product of the chain was started');
    expect(await endOf(running), running.output()).toEqual({ code: null, signal: 'SIGKILL' });
    kills += 1;
  }

  return {
    /** The product that listens now. */
    product: current,
    /** The last output of the running or the previous process, in one line. */
    lastWords: () => (running === null ? '' : lastWords(running)),
    /** Starts the next product, which dies as it passes `crashAt`. */
    async start(crashAt: CrashPoint | null): Promise<void> {
      product = await signedInProduct(launch(crashAt));
    },
    /** Resolves when the product has died at its point. */
    dies,
    /** How many products have died so. */
    kills: () => kills,
    /** Starts the next product, which dies while it takes up what the one before it has left, and perhaps is asked. */
    async diesInRecovery(crashAt: CrashPoint, ask?: (product: Product) => Promise<unknown>): Promise<void> {
      const doomed = launch(crashAt);
      const asked = ask === undefined ? null : signedInProduct(doomed).then(ask, () => null);
      await dies();
      await asked;
    },
    /** Asks the product to end, which it does of itself and in time. */
    async stops(): Promise<void> {
      const stopping = current().running;
      stopping.kill('SIGTERM');
      expect(await endOf(stopping), stopping.output()).toEqual({ code: 0, signal: null });
    },
    async close(): Promise<void> {
      running?.kill('SIGKILL');
      await running?.ended;
    },
  };
}

type Ask = typeof CHEAP_ASK;

function setsToBuy(make: (nth: number, ask: Ask) => Promise<ThreeWay>) {
  const sets: ThreeWay[] = [];
  const noted = new Map<string, ThreeWay>();
  return {
    /** An opportunity of three positions that no other step has bought. */
    async newSet(ask = CHEAP_ASK): Promise<ThreeWay> {
      const set = await make(sets.length, ask);
      sets.push(set);
      return set;
    },
    /** The sets made so far. */
    sets: () => [...sets],
    /** Keeps a set for a later step. */
    note: (name: string, set: ThreeWay) => void noted.set(name, set),
    keptAs: (name: string) => noted.get(name),
    noted(name: string): ThreeWay {
      const set = noted.get(name);
      if (!set) throw new Error(`no step before this one has kept a set as ${name}`);
      return set;
    },
  };
}

async function endOf(running: Running) {
  const overdue = pause(END_WITHIN_MS, null, { ref: false });
  const end = await Promise.race([running.ended, overdue]);
  if (end === null) throw new Error(`the product did not end within ${END_WITHIN_MS} ms; ${lastWords(running)}`);
  return end;
}

/** What it said last in one line, which is all that the end of a test run shows of an error. */
function lastWords(running: Running): string {
  const lines = running.output().split('\n').slice(-LINES_SHOWN);
  return `its last lines, newest first: ${lines.reverse().join(' | ')}`;
}
