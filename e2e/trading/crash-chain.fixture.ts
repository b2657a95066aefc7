/**
 * One product after another on one database, each told at which point to die: what it leaves is taken up by the next
 * one, which dies at another point. So every start but the first is also a recovery.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPoint } from '@dutchbook/server/world/crash-point.ts';
import { expect } from 'vitest';
import { freshDatabase } from '../world/database.ts';
import { startExchange } from '../world/exchange.ts';
import { type Running, run } from '../world/process.ts';
import { launchProduct, type Product, signedInProduct } from '../world/product.ts';
import { CHEAP_ASK, cheapThreeWay, type ThreeWay } from '../world/three-way.ts';

/** Matters only to a process that does not end: a lease of the one before it has to run out first. */
const END_WITHIN_MS = 120_000;

export type Chain = Awaited<ReturnType<typeof openChain>>;

/** An exchange and an empty database, before the first product starts. */
export async function openChain(database: 'embedded' | 'postgresql') {
  const exchange = await startExchange();
  const newFolder = () => mkdtemp(join(tmpdir(), 'dutchbook-kill-'));
  let dataDir = await newFolder();
  const databaseEnv: Record<string, string> = database === 'embedded' ? {} : { DATABASE_URL: await freshDatabase() };
  const { close, ...products } = productsInTurn((env) =>
    launchProduct(exchange.url, dataDir, { ...databaseEnv, ...env }),
  );
  return {
    exchange,
    ...products,
    ...setsToBuy((nth, ask) => cheapThreeWay(exchange, products.product(), nth, ask)),
    /** From now on the products run on a copy of the data folder, and the one before is gone. */
    async restoreElsewhere(): Promise<void> {
      const restored = await newFolder();
      await cp(dataDir, restored, { recursive: true });
      await rm(dataDir, { recursive: true });
      dataDir = restored;
    },
    /** Copies the embedded database to `url`; from now on the products run there. Returns how the command ended, and what it said. */
    async moveTo(url: string) {
      const copying = run('server/src/copy-database.ts', { DATA_DIR: dataDir }, ['--to', url]);
      const { code } = await copying.ended;
      databaseEnv.DATABASE_URL = url;
      return { code, said: copying.output() };
    },
    async close(): Promise<void> {
      await close();
      await exchange.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function productsInTurn(launchWith: (env: Record<string, string>) => Running) {
  let running: Running | null = null;
  let product: Product | null = null;

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
  }

  return {
    /** The product that listens now. */
    product: current,
    /** Starts the next product, which dies as it passes `crashAt`. */
    async start(crashAt: CrashPoint | null): Promise<void> {
      product = await signedInProduct(launch(crashAt));
    },
    /** Resolves when the product has died at its point. */
    dies,
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
  if (end === null) throw new Error(`the product did not end within ${END_WITHIN_MS} ms:\n${running.output()}`);
  return end;
}
