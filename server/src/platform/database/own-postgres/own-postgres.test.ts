import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { initialise, newPassword } from './cluster.ts';
import { findPlace } from './place.ts';
import { ask, dataIn, openProducts, PRODUCT, type Products, serverOn } from './products.fixture.ts';
import { canEnter, readablePrograms } from './readable-programs.ts';
import { findUnprivilegedUser, type SystemUser } from './unprivileged-user.ts';

/** Three times what is waited at first. */
const SELDOM_MS = 600;
const isRoot = process.getuid?.() === 0;

let products: Products;
let folder: string;
/** Laid out by a first start, with a row in it. */
let dataDir: string;
beforeAll(async () => {
  products = openProducts();
  folder = products.folder;
  dataDir = path.join(folder, 'data');
  const product = await products.start(dataDir);
  await ask(product.said, `create table kept as select 'still here'::text as note`);
  await product.end('SIGTERM');
});
afterEach(async () => {
  vi.useRealTimers();
  await products.stopAll();
});
afterAll(() => products.remove());

const keeps = (url: string) => expect(ask(url, 'select note from kept')).resolves.toEqual([{ note: 'still here' }]);

describe('a PostgreSQL of its own', () => {
  it('is for those who know its password, runs as an unprivileged user, and flushes what it commits', async () => {
    const { url } = await products.open(dataDir);
    await keeps(url);
    expect(statSync(path.join(dataDir, 'database-password')).mode & 0o777).toBe(0o600);
    expect(statSync(dataIn(dataDir)).uid).not.toBe(0);
    const wrong = new URL(url);
    wrong.password = 'guessed';
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(await ask(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('is stopped with its product, and belongs to one at a time', async () => {
    const product = await products.open(dataDir);
    expect((await products.start(dataDir)).said).toContain(`is in use by process ${process.pid}`);
    await keeps(product.url);
    await product.stop();
    await expect(ask(product.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(path.join(dataIn(dataDir), 'postmaster.pid'))).toBe(false);
  });

  it('lets a connection that ends say goodbye, and ends one that stays', async () => {
    const { url, stop } = await products.open(dataDir);
    const [ends, stays] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    const broken: string[] = [];
    ends.on('error', () => broken.push('ends'));
    stays.on('error', () => broken.push('stays'));
    await Promise.all([ends.connect(), stays.connect()]);
    // The second in which connections may say goodbye is as long as they need here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stopped = stop();
    await expect.poll(() => ask(url, 'select 1').then(String, String)).toContain('shutting down');
    await ends.query('select 1');
    await ends.end();
    await stays.query('select 1');
    vi.runOnlyPendingTimers();
    await stopped;
    expect(new Set(broken)).toEqual(new Set(['stays']));
  });

  it('has all it committed when the product was killed, which leaves it running', async () => {
    const killed = await products.start(dataDir);
    const left = serverOn(dataDir);
    await killed.end('SIGKILL');
    await keeps(killed.said);
    const next = await products.open(dataDir);
    await keeps(next.url);
    expect(serverOn(dataDir)).not.toBe(left);
    await expect(ask(killed.said, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('is started again at its address when it was killed alone', async () => {
    const { url } = await products.open(dataDir);
    process.kill(serverOn(dataDir), 'SIGKILL');
    await vi.waitFor(() => keeps(url), { timeout: 60_000, interval: 20 });
  });

  it('is started again also where it cannot have a log', async () => {
    const { url } = await products.open(dataDir);
    const log = path.join(dataDir, 'database', 'log');
    rmSync(log);
    mkdirSync(log);
    process.kill(serverOn(dataDir), 'SIGKILL');
    await vi.waitFor(() => keeps(url), { timeout: 60_000, interval: 20 });
    rmSync(log, { recursive: true });
  });

  it('tries ever more seldom while it does not start, says so once, and is back when it can', async () => {
    const said: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => said.push(JSON.parse(line)) });
    const { url } = await products.open(dataDir, log);
    const control = path.join(dataIn(dataDir), 'global', 'pg_control');
    const lastTried = () => statSync(path.join(dataDir, 'database', 'log')).mtimeMs;
    renameSync(control, `${control}.away`);
    process.kill(serverOn(dataDir), 'SIGKILL');
    let before = lastTried();
    await vi.waitFor(
      () => {
        const [earlier, later] = [before, lastTried()];
        before = later;
        expect(later - earlier).toBeGreaterThan(SELDOM_MS);
      },
      { timeout: 60_000, interval: 1 },
    );
    renameSync(`${control}.away`, control);
    await vi.waitFor(() => keeps(url), { timeout: 60_000, interval: 20 });
    expect(said).toMatchObject([{ how: 'SIGKILL' }]);
  });

  it('has all it committed when both were killed', async () => {
    const killed = await products.start(dataDir);
    const server = serverOn(dataDir);
    await killed.end('SIGKILL');
    process.kill(server, 'SIGKILL');
    await keeps((await products.open(dataDir)).url);
  });

  it('is not kept from starting by a pid file whose number another program has by now', async () => {
    const product = await products.open(dataDir);
    const file = path.join(dataIn(dataDir), 'postmaster.pid');
    const kept = readFileSync(file, 'utf8');
    await product.stop();
    writeFileSync(file, kept.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
    if (isRoot) chownSync(file, statSync(path.dirname(file)).uid, statSync(path.dirname(file)).gid);
    await keeps((await products.open(dataDir)).url);
  });
});

describe.runIf(isRoot)('a PostgreSQL of its own, for root', () => {
  const unprivileged = isRoot ? (findUnprivilegedUser() as SystemUser) : { uid: 0, gid: 0 };
  const mayReadProduct = isRoot && canEnter(unprivileged, path.dirname(PRODUCT));

  it('lies elsewhere where its user may not enter the data folder, and is found there again', async () => {
    const closed = path.join(folder, 'root alone');
    mkdirSync(closed, { mode: 0o700 });
    const inClosed = path.join(closed, 'data');
    const product = await products.start(inClosed);
    await ask(product.said, 'create table kept (note text)');
    await product.end('SIGTERM');
    const elsewhere = readFileSync(path.join(inClosed, 'database', 'is-in'), 'utf8').trim();
    expect(path.dirname(elsewhere)).toBe(products.elsewhere);
    const again = await products.open(inClosed);
    expect(await ask(again.url, 'select * from kept')).toEqual([]);
    await again.stop();
    rmSync(elsewhere, { recursive: true });
    await expect(products.open(inClosed)).rejects.toThrow('nothing is there: restore it');
  });

  it('lies in the data folder where the folders above that were made with it', () => {
    const made = path.join(folder, 'new', 'and new', 'data');
    const umask = process.umask(0o077);
    try {
      expect(findPlace(made, products.elsewhere).folder).toBe(path.join(made, 'database'));
    } finally {
      process.umask(umask);
    }
  });

  it('copies its programs where its user may not read them', () => {
    const closed = path.join(folder, 'programs for root alone');
    const installed = path.join(closed, 'native');
    for (const part of ['bin', 'share/postgresql']) mkdirSync(path.join(installed, part), { recursive: true });
    chmodSync(closed, 0o700);
    writeFileSync(path.join(closed, 'package.json'), '{ "version": "18" }');
    writeFileSync(path.join(installed, 'bin/postgres'), '#!/bin/sh\n', { mode: 0o700 });
    writeFileSync(path.join(installed, 'share/postgresql/postgres.bki'), '', { mode: 0o600 });
    const copied = readablePrograms(unprivileged, folder, installed);
    expect(path.dirname(copied)).toBe(folder);
    expect(readablePrograms(unprivileged, folder, installed)).toBe(copied);
  });

  it.runIf(mayReadProduct)('belongs to the owner of the data folder, who can start it as well', async () => {
    const ofUnprivileged = path.join(folder, 'of unprivileged');
    execFileSync('cp', ['-a', dataDir, ofUnprivileged]);
    chownSync(ofUnprivileged, unprivileged.uid, unprivileged.gid);
    const product = await products.open(ofUnprivileged);
    await keeps(product.url);
    await product.stop();
    const again = await products.start(ofUnprivileged, { as: unprivileged });
    await keeps(again.said);
    await again.end('SIGTERM');
    await keeps((await products.open(ofUnprivileged)).url);
  });

  it('says in a sentence what is missing, and what else can be done', async () => {
    const place = mkdtempSync(path.join(folder, 'nameless-'));
    chmodSync(place, 0o711);
    const cluster = {
      folder: place,
      programs: readablePrograms(unprivileged, folder),
      user: { uid: 54_321, gid: 54_321 },
    };
    // Without the program that could lend the user a name.
    vi.stubEnv('PATH', '/nowhere');
    const laidOut = initialise(cluster, newPassword());
    await expect(laidOut).rejects.toThrow(
      "PostgreSQL wants a name for user id 54321, which this machine's user database lacks, and with one from unshare it fails too (spawn unshare ENOENT). The other way is a PostgreSQL server that DATABASE_URL names.",
    );
  });
});
