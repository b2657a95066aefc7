// What Lighthouse says of the screens: the whole product with its demo data, live, signed in, a batch placed.
// Budget on a phone, median of three: performance >= 97 on /login, >= 90 on /arbitrage and on a batch; on a desk >= 98;
// accessibility and best practices 100 everywhere. Lighthouse itself is fetched by npx, so that the product need not
// carry it.
//
//     node_modules/.bin/node bench/lighthouse.ts [--desktop] [runs] [path]...
//
// Only the screens at those paths, where any are named: /batches/{id} means that of the batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import * as z from 'zod';
import { median, say, tell } from './rows.ts';
import { launchBrowserAt } from './screen/browser.ts';
import { type RunningProduct, runProduct } from './screen/running-product.ts';
import { addSampleOpportunities } from './screen/sample-opportunities.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { desktop: { type: 'boolean', default: false } },
});
const [runs = '3', ...PATHS] = positionals;
const RUNS = Number(runs);
const DEBUGGING_PORT = 9333;
/** Five seconds of them, within which the desk has long heard of a book. */
const READ_POLLS = 25;
const ANY_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];

const category = z.object({ score: z.nullable(z.number()) });
const report = z.object({
  categories: z.object({ performance: category, accessibility: category, 'best-practices': category }),
  audits: z.record(
    z.string(),
    z.object({ score: z.nullable(z.number()), scoreDisplayMode: z.string(), numericValue: z.optional(z.number()) }),
  ),
});
type Report = z.output<typeof report>;

type Screen = { path: string; performanceMin: number | null };

const BEFORE_THE_LOGIN = ['/login', '/signup', '/recover-password', '/reset-password?token=gone'];
/** On a desk, where every screen has one to reach. */
const DESKTOP_MIN = 98;

/** Performance that a screen has to reach; where none is named, only the other two categories count. */
function screensOf(opportunityId: string, batchId: string, notificationId: string): Screen[] {
  const phoneMins = new Map([
    ['/login', 97],
    ['/arbitrage', 90],
    [`/batches/${batchId}`, 90],
  ]);
  const others = ['/', `/arbitrage/${opportunityId}`, '/batches', `/batches/${batchId}/orders`, '/notifications'];
  const more = [
    `/notifications/${notificationId}`,
    '/items',
    '/settings',
    '/admin',
    '/admin/system-settings',
    '/nowhere',
  ];
  const paths = new Set([...phoneMins.keys(), ...BEFORE_THE_LOGIN, ...others, ...more]);
  return [...paths].map((path) => ({
    path,
    performanceMin: options.desktop ? DESKTOP_MIN : (phoneMins.get(path) ?? null),
  }));
}

const isAsked = (path: string) => PATHS.length === 0 || PATHS.includes(path.replace(ANY_ID, '{id}'));

type Detail = {
  target_price: number;
  current_price: number | null;
  positions: { market_id: string; token_id: string }[];
};

/** An opportunity of the demo data, made worth buying, and its batch. */
async function placeOne(product: RunningProduct): Promise<{ opportunityId: string; batchId: string }> {
  const { data } = (await product.call('GET', '/arbitrage/opportunities?limit=100')) as { data: { id: string }[] };
  await product.control('pause');
  for (const { id } of data) {
    const quote = await makeCheap(product, id);
    if (quote === null) continue;
    const batchId = await place(product, id, quote);
    await product.control('resume');
    return { opportunityId: id, batchId };
  }
  throw new Error('no opportunity of the demo data could be made worth buying');
}

/** Buys it, unless it was bought by itself as soon as it was cheap: then it is that batch. */
async function place({ call }: RunningProduct, id: string, quote: number): Promise<string> {
  try {
    const placed = await call('POST', `/arbitrage/place-order/${id}?quoted_price=${quote.toFixed(2)}`);
    return (placed as { id: string }).id;
  } catch (refused) {
    const batches = await call('GET', `/arbitrage/batches?opportunity_id=${id}&limit=1`);
    const [bought] = (batches as { data: { id: string }[] }).data;
    if (bought === undefined) throw refused;
    return bought.id;
  }
}

/** What it costs now, once the desk has heard; null where that does not come, or cannot: two positions of one market share their book. */
async function makeCheap({ call, control }: RunningProduct, id: string): Promise<number | null> {
  const detail = async () => (await call('GET', `/arbitrage/opportunities/${id}`)) as Detail;
  const { target_price: target, positions } = await detail();
  if (new Set(positions.map((position) => position.market_id)).size < positions.length) return null;
  const price = ((target / positions.length) * 0.9).toFixed(2);
  for (const { token_id } of positions) {
    await control('book', { token_id, bids: [{ price: '0.01', size: '500' }], asks: [{ price, size: '500' }] });
  }
  const quote = Number(price) * positions.length;
  for (let polls = 0; polls < READ_POLLS; polls += 1) {
    if (Math.abs(((await detail()).current_price ?? 0) - quote) < 0.005) return quote;
    await pause(200);
  }
  return null;
}

async function audit(url: string): Promise<Report> {
  const child = spawn(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      `--port=${DEBUGGING_PORT}`,
      '--disable-storage-reset',
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      `--only-categories=${CATEGORIES.join(',')}`,
      ...(options.desktop ? ['--preset=desktop'] : []),
    ],
    {
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return report.parse(JSON.parse(printed));
}

/** The session stays, what was fetched for it does not: each is a first visit. */
async function forgetFetched(browser: BrowserContext): Promise<void> {
  const page = await browser.newPage();
  const client = await browser.newCDPSession(page);
  await client.send('Network.clearBrowserCache');
  await page.close();
}

function failedAudits({ audits }: Report): string[] {
  return Object.entries(audits)
    .filter(([, { score, scoreDisplayMode }]) => scoreDisplayMode === 'binary' && score === 0)
    .map(([name]) => name);
}

async function measure(browser: BrowserContext, origin: string, page: Screen): Promise<void> {
  const reports: Report[] = [];
  while (reports.length < (page.performanceMin === null ? 1 : RUNS)) {
    await forgetFetched(browser);
    reports.push(await audit(`${origin}${page.path}`));
  }
  const [performance = 0, ...others] = CATEGORIES.map((name) =>
    Math.round(median(reports.map(({ categories }) => categories[name].score ?? 0)) * 100),
  );
  const lower = Math.min(...others);
  const metrics = METRICS.map((name) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? 0)));
  const [paint = 0, largest = 0, blocking = 0, shift = 0] = metrics;
  const question = `Lighthouse on a ${options.desktop ? 'desk' : 'phone'}, ${page.path.replace(ANY_ID, '{id}')}`;
  tellScore(`${question}: the lower of accessibility and best practices`, lower, 100);
  tellScore(`${question}: performance`, performance, page.performanceMin);
  if (page.performanceMin !== null && !options.desktop) {
    tellAtMost(`${question}: largest paint after`, largest / 1000, 's', 2);
    tellAtMost(`${question}: scripts block for`, blocking, 'ms', 200);
  }
  tellAtMost(`${question}: layout shift`, shift, '', 0.02);
  say(`  first paint after ${(paint / 1000).toFixed(1)} s`);
  const failed = new Set(reports.flatMap(failedAudits));
  if (lower < 100 && failed.size > 0) say(`  failed: ${[...failed].join(', ')}`);
}

function tellScore(question: string, figure: number, atLeast: number | null): void {
  tell({ question, figure, unit: '', budget: atLeast === null ? null : { atLeast }, floor: null });
}

function tellAtMost(question: string, figure: number, unit: string, atMost: number): void {
  tell({ question, figure, unit, budget: { atMost }, floor: null });
}

await using product = await runProduct();
await addSampleOpportunities(product);
const { opportunityId, batchId } = await placeOne(product);
const { data: notifications } = (await product.call('GET', '/notifications/records?limit=1')) as {
  data: { id: string }[];
};
const profile = mkdtempSync(path.join(tmpdir(), 'dutchbook-lighthouse-'));
const browser = await launchBrowserAt(profile, DEBUGGING_PORT);
try {
  const asked = screensOf(opportunityId, batchId, notifications[0]?.id ?? '').filter(({ path }) => isAsked(path));
  const [before, behind] = [true, false].map((is) =>
    asked.filter(({ path }) => BEFORE_THE_LOGIN.includes(path) === is),
  );
  for (const each of before ?? []) await measure(browser, product.url, each);
  const page = await browser.newPage();
  await page.goto(`${product.url}/login`);
  await page.evaluate((token) => localStorage.setItem('access_token', token), product.token);
  await page.close();
  for (const each of behind ?? []) await measure(browser, product.url, each);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
