// What keeps a page from answering while it begins, on a processor four times slower: tasks of the main thread of more than
// 50 ms, from the address until the page rests, with nothing in the browser's cache. Budget: none on /login, at most two
// on any other page; the median of some loads. By wall clock: on a busy machine there are many more.
//
//     node_modules/.bin/node bench/screen/long-tasks.ts [loads] [path]...
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { median, say, tell } from '../rows.ts';
import { launchBrowser } from './browser.ts';
import { type RunningProduct, runProduct } from './running-product.ts';
import { addSampleOpportunities } from './sample-opportunities.ts';

const [loads = '5', ...chosen] = process.argv.slice(2);
const TIMES_SLOWER = 4;
const REST_MS = 1_000;
const ELSEWHERE_MAX = 2;

await using product = await runProduct();
await addSampleOpportunities(product);
const browser = await launchBrowser();
try {
  const paths = chosen.length > 0 ? chosen : ['/login', ...(await signedInPaths(product))];
  const tasks = new Map<string, number[]>();
  for (const path of paths) tasks.set(path, await longTasksOf(browser, path));
  const elsewhere = [...tasks].filter(([path]) => path !== '/login').map(([, found]) => found.length);
  const login = tasks.get('/login');
  if (login !== undefined) tellCount('/login', login.length, 0);
  if (elsewhere.length > 0) tellCount('the page with most of them', Math.max(...elsewhere), ELSEWHERE_MAX);
} finally {
  await browser.close();
}

function tellCount(where: string, figure: number, atMost: number): void {
  tell({
    question: `long tasks while a page begins, processor ${TIMES_SLOWER} times slower: ${where}`,
    figure,
    unit: 'tasks',
    budget: { atMost },
    floor: null,
  });
}

/** The pages that are opened most, and the one of an opportunity and of a batch. */
async function signedInPaths({ call }: Pick<RunningProduct, 'call'>): Promise<string[]> {
  const { data } = (await call('GET', '/arbitrage/opportunities?limit=1')) as { data: { id: string }[] };
  const opportunity = data[0]?.id ?? '';
  const batch = (await call('POST', `/arbitrage/place-order/${opportunity}`).catch(() => null)) as {
    id: string;
  } | null;
  const lists = ['/', '/arbitrage', '/batches', '/portfolio', '/notifications', '/settings', '/admin'];
  return [...lists, `/arbitrage/${opportunity}`, ...(batch === null ? [] : [`/batches/${batch.id}`])];
}

/** Milliseconds of each in the load that has the median of them. */
async function longTasksOf(within: Browser, path: string): Promise<number[]> {
  const found: number[][] = [];
  for (let load = 0; load < Number(loads); load += 1) found.push(await longTasksOnce(within, path));
  const counts = found.map(({ length }) => length);
  const middle = Math.ceil(median(counts));
  const typical = found.find(({ length }) => length === middle) ?? found[0] ?? [];
  say(
    `  ${path.replace(/[0-9a-f-]{36}/, '{id}')}: ${typical.map((ms) => ms.toFixed(0)).join(', ') || 'none'} ms (${counts.join(', ')} tasks)`,
  );
  return typical;
}

async function longTasksOnce(within: Browser, path: string): Promise<number[]> {
  const context = await within.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(
    ({ session, isSignedIn }) => {
      if (isSignedIn) localStorage.setItem('access_token', session);
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
        buffered: true,
      });
    },
    { session: product.token, isSignedIn: path !== '/login' },
  );
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER });
  await page.goto(`${product.url}${path}`, { waitUntil: 'networkidle' });
  await pause(REST_MS);
  const tasks = await page.evaluate(() => (window as Window & { longTasks?: number[] }).longTasks ?? []);
  await context.close();
  return tasks;
}
