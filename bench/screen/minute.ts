// What a user notices in the first minute after `npm start`, with what is built already and everything switched on: how long
// until the first page, how long signing in takes, what the pages fetch until they rest, how old a price is when it is
// painted in a list whose books change 200 times a second, and what memory all processes hold in the end, that list still open.
// Budget: 5 s; 1 s; 160 kB of scripts on /login, 260 kB on the heaviest page; p95 400 ms, p99 700 ms; 400 MB of the server.
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { buildProgramsWhenNeeded, EXCHANGE_PROGRAM, SERVER_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { buildWebWhenNeeded } from '@dutchbook/tools/start/web-build.ts';
import { hash } from '@node-rs/argon2';
import type { Browser, Page } from '@playwright/test';
import { idleNode, type Memory, memoryBelow } from '../processes.ts';
import { timed } from '../product.ts';
import { median, tell } from '../rows.ts';
import { openRows } from './moving-list.ts';
import { measurePaints } from './painted.ts';
import { launchBrowser, openStartedProduct, type RunningProduct } from './product.ts';

const ROWS = 10;
const STARTED_SECONDS_MAX = 5;
const LOGIN_KB_MAX = 160;
const PAGE_KB_MAX = 260;
const SIGNED_IN_MS_MAX = 1000;
const SERVER_MB_MAX = 400;
const SIGN_INS = 3;
/** After the network has been still for half a second: what a page fetches when it has nothing else to do. */
const RESTS_MS = 1500;
const MINUTE_MS = 60_000;
/** As the product hashes. */
const HASH = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

if (!buildWebWhenNeeded() || !buildProgramsWhenNeeded()) throw new Error('what starts could not be built');
const begunMs = performance.now();
await using product = await openStartedProduct();
await (await fetch(`${product.url}/login`)).text();
const startedMs = performance.now();
const idle = await idleNode();
tell({
  question: '`npm start` to the first page',
  figure: (startedMs - begunMs) / 1000,
  unit: 's',
  budget: { atMost: STARTED_SECONDS_MAX },
  floor: { figure: idle.startedMs / 1000, of: 'node that does nothing' },
});
const browser = await launchBrowser();
try {
  await measureSigningIn(browser, product);
  // What it finds in books that are moved for nothing is not bought.
  await product.call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
  const rows = await openRows(product, ROWS);
  await measureScripts(browser, product, rows[0]?.id ?? '');
  await measurePaints(product, browser, rows);
  await product.exchange.resume();
  await pause(startedMs + MINUTE_MS - performance.now());
  tellMemory(memoryBelow(product.pid), idle.rss);
} finally {
  await browser.close();
}

/** Each with nothing in the browser's cache: from the press to the painted heading of the first page. */
async function measureSigningIn(
  within: Browser,
  { url, credentials: { username, password } }: RunningProduct,
): Promise<void> {
  const tookMs: number[] = [];
  const hashMs: number[] = [];
  for (let nth = 0; nth < SIGN_INS; nth += 1) {
    const page = await (await within.newContext()).newPage();
    await page.goto(`${url}/login`, { waitUntil: 'networkidle' });
    await page.getByLabel('Email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    tookMs.push(
      await timed(async () => {
        await page.getByRole('button', { name: 'Log In' }).click();
        await page.locator('main h1').waitFor();
      }),
    );
    await page.context().close();
    hashMs.push(await timed(() => hash(password, HASH)));
  }
  tell({
    question: 'signing in: from the press to the first page',
    figure: median(tookMs),
    unit: 'ms',
    budget: { atMost: SIGNED_IN_MS_MAX },
    floor: { figure: median(hashMs), of: 'hashing a password' },
  });
}

async function measureScripts(within: Browser, { url, caller }: RunningProduct, opportunityId: string): Promise<void> {
  for (const [name, path, atMost] of [
    ['/login', '/login', LOGIN_KB_MAX],
    ['the page of an opportunity', `/arbitrage/${opportunityId}`, PAGE_KB_MAX],
  ] as const) {
    const context = await within.newContext();
    if (path !== '/login')
      await context.addInitScript((session) => localStorage.setItem('access_token', session), caller.token);
    const sizes = await scriptSizes(await context.newPage(), `${url}${path}`);
    await context.close();
    tell({
      question: `scripts of ${name}, gzip, with all that it loads at rest`,
      figure: sizes.all,
      unit: 'kB',
      budget: { atMost },
      floor: { figure: sizes.react, of: 'the script that React is' },
    });
  }
}

/** In kB, of all scripts that a page fetches until it rests. */
async function scriptSizes(page: Page, address: string): Promise<{ all: number; react: number }> {
  const files = new Set<string>();
  page.on('response', (answer) => {
    if (answer.url().endsWith('.js')) files.add(answer.url());
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await pause(RESTS_MS);
  const sizes = { all: 0, react: 0 };
  for (const file of files) {
    // Asked for again: what a worker has loaded keeps its body to itself.
    const kb = gzipSync(await (await page.request.get(file)).body(), { level: 9 }).length / 1000;
    sizes.all += kb;
    if (/\/react-/.test(file)) sizes.react += kb;
  }
  return sizes;
}

function tellMemory(processes: readonly Memory[], idleMb: number): void {
  const server = processes.find(({ command }) => command.includes(SERVER_PROGRAM))?.rss ?? Number.NaN;
  const together = (isMeant: (command: string) => boolean) =>
    processes.reduce((sum, { command, pss }) => (isMeant(command) ? sum + pss : sum), 0);
  const all = together(() => true);
  const exchange = together((command) => command.includes(EXCHANGE_PROGRAM));
  const row = { unit: 'MB', floor: { figure: idleMb, of: 'node that does nothing' } };
  const question = 'memory after a minute with a list open';
  tell({ ...row, question: `${question}: the server`, figure: server, budget: { atMost: SERVER_MB_MAX } });
  tell({ ...row, question: `${question}: with its PostgreSQL and npm`, figure: all - exchange });
  tell({ ...row, question: `${question}: and the simulated exchange, all processes`, figure: all });
}
