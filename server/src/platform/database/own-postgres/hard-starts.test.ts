/** What a machine can do to a product with a PostgreSQL of its own, at its start and later. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, endProcess, openProducts, PRODUCT, type Products, serverOn } from './products.fixture.ts';
import { canEnter } from './readable-programs.ts';
import type { SystemUser } from './unprivileged-user.ts';

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const soon = { timeout: 110_000, interval: 10 };

let products: Products;
let folder: string;
/** Laid out, and stopped. */
let laidOut: string;
beforeAll(async () => {
  products = openProducts();
  folder = products.folder;
  laidOut = path.join(folder, 'laid out');
  await products.open(laidOut);
  await products.stopAll();
});
afterEach(() => products.stopAll());
afterAll(() => products.remove());

function copyOfData(name: string): string {
  const dataDir = path.join(folder, name);
  execFileSync('cp', ['-a', laidOut, dataDir]);
  return dataDir;
}

describe('a product that is asked to stop while its PostgreSQL', () => {
  /** The whole product: who listens to signals is its main program. */
  function startWhole(dataDir: string) {
    const noVenue = 'http://127.0.0.1:9';
    const env = { POLYMARKET_CLOB_URL: noVenue, POLYMARKET_GAMMA_URL: noVenue, POLYMARKET_WS_URL: 'ws://127.0.0.1:9' };
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    return spawn(process.execPath, [MAIN], {
      env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...env },
      stdio: 'ignore',
    });
  }

  it('is laid out ends that as well', async () => {
    const dataDir = path.join(folder, 'told to stop');
    const database = path.join(dataDir, 'database');
    const product = startWhole(dataDir);
    const begun = await vi.waitFor(() => {
      const found = readdirSync(database).find((name) => existsSync(path.join(database, name, 'postmaster.pid')));
      if (found === undefined) throw new Error('not begun yet');
      return path.join(database, found);
    }, soon);
    await endProcess(product, 'SIGTERM');
    await vi.waitFor(() => expect(commandsOn(begun)).toEqual([]), soon);
    // The last of its databases.
    expect(existsSync(path.join(begun, 'base', '5'))).toBe(false);
  });

  it('starts ends that as well', async () => {
    const dataDir = copyOfData('told to stop later');
    const product = startWhole(dataDir);
    const server = await vi.waitFor(() => {
      expect(serverOn(dataDir)).toBeGreaterThan(0);
      return serverOn(dataDir);
    }, soon);
    await endProcess(product, 'SIGINT');
    await vi.waitFor(() => expect(() => process.kill(server, 0)).toThrow('ESRCH'), soon);
  });
});

describe('a PostgreSQL of its own, on a disk that is full', () => {
  /** Files of eight megabytes at most: none of write-ahead log can be made. */
  const noRoom = 'ulimit -S -f 24000;';

  it('says in one sentence that it cannot be laid out', async () => {
    const { said } = await products.start(path.join(folder, 'full'), { before: noRoom });
    expect(said).toMatch(/PostgreSQL cannot keep its data in .* \(FATAL: .* too large\)\. The other way is/);
  });

  /** One that has committed a note, and then had to make another file of write-ahead log. */
  async function filledUp(dataDir: string) {
    const product = await products.start(dataDir, { before: noRoom });
    await ask(product.said, 'create table kept (note text)');
    await ask(product.said, `insert into kept values ('committed')`);
    const toTheNextFile = `select pg_switch_wal(); insert into kept values ('not any more')`;
    await expect(ask(product.said, toTheNextFile)).rejects.toThrow();
    return product;
  }

  const keeps = (url: string) => expect(ask(url, 'select note from kept')).resolves.toEqual([{ note: 'committed' }]);

  it('keeps what was committed, and is back by itself when there is room', async () => {
    const product = await filledUp(copyOfData('full for a while'));
    expect(succeeds(`prlimit --pid=${product.pid} --fsize=unlimited:`)).toBe(true);
    await vi.waitFor(() => keeps(product.said), soon);
  });

  it('says in one sentence that it does not start, and keeps what was committed until there is room', async () => {
    const dataDir = copyOfData('full at the start');
    await (await filledUp(dataDir)).end('SIGTERM');
    const { said } = await products.start(dataDir, { before: noRoom });
    expect(said).toMatch(/PostgreSQL does not start on .* \(FATAL: .* too large\)\. The other way is/);
    await keeps((await products.open(dataDir)).url);
  });
});

describe.runIf(isRoot)('a PostgreSQL of its own, as a user without a name', () => {
  const nameless = { uid: 54_321, gid: 54_321 };

  it.runIf(isRoot && canEnter(nameless, path.dirname(PRODUCT)))('has one lent, where the machine lets it', async () => {
    const dataDir = path.join(folder, 'nameless');
    mkdirSync(dataDir);
    chownSync(dataDir, nameless.uid, nameless.gid);
    const product = await products.start(dataDir, { as: nameless });
    if (succeeds('unshare --user true', nameless))
      expect(await ask(product.said, 'select 1 as answer')).toEqual([{ answer: 1 }]);
    else expect(product.said).toMatch(/PostgreSQL wants a name for user id 54321, .* The other way is/);
  });
});

function succeeds(script: string, as: SystemUser | undefined = undefined): boolean {
  return spawnSync('sh', ['-c', script], { stdio: 'ignore', ...as }).status === 0;
}

/** The processes that were begun on `folder`. */
function commandsOn(folder: string): string[] {
  const commands = execFileSync('ps', ['-A', '-o', 'command='], { encoding: 'utf8' }).split('\n');
  return commands.filter((command) => command.includes(folder));
}
