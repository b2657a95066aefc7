// What keeps a page from answering while it begins, on a processor four times slower: tasks of the main thread of more than
// 50 ms, from the address until the page rests, with nothing in the browser's cache. Budget: none on /login, at most two
// on any other page; the median of some loads. By wall clock: on a busy machine there are many more.
//
//     node_modules/.bin/node bench/screen/long-tasks.ts
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { median, say, tell } from '../rows.ts';
import { launchBrowser } from './browser.ts';
import { type RunningProduct, runProduct } from './running-product.ts';
import { addSampleOpportunities } from './sample-opportunities.ts';
import { openUnwatched } from './unwatched-tab.ts';

const LOADS = 3;
const TIMES_SLOWER = 4;
const REST_MS = 1_000;
/** What every page fetches: before, it has not begun. */
const MIN_RESOURCES = 5;
const ELSEWHERE_MAX = 2;

await using product = await runProduct();
await addSampleOpportunities(product);
const browser = await launchBrowser();
try {
  const paths = ['/login', ...(await signedInPaths(product))];
  const tasks = new Map<string, number[]>();
  for (const path of paths) tasks.set(path, await longTasksOf(browser, path));
  const elsewhere = [...tasks].filter(([path]) => path !== '/login').map(([, found]) => found.length);
  tellCount('/login', tasks.get('/login')?.length ?? 0, 0);
  tellCount('the page with most of them', Math.max(...elsewhere), ELSEWHERE_MAX);
} finally {
  await browser.close();
}

function tellCount(where: string, figure: number, atMost: number): void {
  tell({
    question: `long tasks while a page begins, processor ${TIMES_SLOWER} times slower: ${where}`,
    figure,
    unit: 'tasks',
    budget: { atMost },
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
  for (let load = 0; load < LOADS; load += 1) found.push(await longTasksOnce(within, path));
  const counts = found.map(({ length }) => length);
  const middle = Math.ceil(median(counts));
  const typical = found.find(({ length }) => length === middle) ?? found[0] ?? [];
  say(
    `  ${path.replace(/[0-9a-f-]{36}/, '{id}')}: ${typical.map((ms) => ms.toFixed(0)).join(', ') || 'none'} ms (${counts.join(', ')} tasks)`,
  );
  return typical;
}

/**
 * In a tab that no inspector watches, as a user has it: beside one the browser finds out for each error and each request
 * which line began it, for which it parses whole scripts again.
 */
async function longTasksOnce(within: Browser, path: string): Promise<number[]> {
  await using tab = await openUnwatched(within);
  await tab.send('Page.enable');
  await tab.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER });
  const signIn = path === '/login' ? '' : `localStorage.setItem('access_token', ${JSON.stringify(product.token)});`;
  await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: `${signIn}(${collectLongTasks})()` });
  await tab.send('Page.navigate', { url: `${product.url}${path}` });
  let [resources, before] = [-1, -2];
  while (resources < MIN_RESOURCES || resources !== before) {
    before = resources;
    await pause(REST_MS);
    resources = (await tab.evaluate('performance.getEntriesByType("resource").length')) as number;
  }
  return (await tab.evaluate('window.longTasks')) as number[];
}

/** In the page. */
function collectLongTasks() {
  const tasks: number[] = [];
  Object.assign(window, { longTasks: tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  });
}
