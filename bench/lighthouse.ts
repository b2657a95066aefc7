// What Lighthouse says of the screens on a phone: the whole product with its demo data, live, signed in, a batch placed.
// Budget, median of three: performance >= 97 on /login, >= 90 on /arbitrage and on a batch; accessibility and best
// practices 100 everywhere. Lighthouse itself is fetched by npx, so that the product need not carry it.
//
//     node_modules/.bin/node bench/lighthouse.ts [runs] [path]...
//
// Only the screens whose address begins with one of the paths, where any are named: /batches/ means both of a batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { median, say, tell } from './rows.ts';
import { launchBrowserAt } from './screen/browser.ts';
import { type RunningProduct, runProduct } from './screen/running-product.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const [runs = '3', ...PATHS] = process.argv.slice(2);
const RUNS = Number(runs);
const DEBUGGING_PORT = 9333;
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

/** Performance that a page has to reach; where none is named, only the other two categories count. */
function pagesOf(opportunityId: string, batchId: string): { path: string; performanceMin: number | null }[] {
  return [
    { path: '/login', performanceMin: 97 },
    { path: '/arbitrage', performanceMin: 90 },
    { path: `/batches/${batchId}`, performanceMin: 90 },
    { path: '/', performanceMin: null },
    { path: `/arbitrage/${opportunityId}`, performanceMin: null },
    { path: '/batches', performanceMin: null },
    { path: `/batches/${batchId}/orders`, performanceMin: null },
    { path: '/notifications', performanceMin: null },
    { path: '/items', performanceMin: null },
    { path: '/settings', performanceMin: null },
    { path: '/admin', performanceMin: null },
    { path: '/admin/system-settings', performanceMin: null },
  ];
}

const isAsked = (path: string) => PATHS.length === 0 || PATHS.some((prefix) => path.startsWith(prefix));

type Detail = { target_price: number; current_price: number | null; positions: { token_id: string }[] };

/** An opportunity of the demo data, made worth buying, and its batch. */
async function placeOne({ call, control }: RunningProduct): Promise<{ opportunityId: string; batchId: string }> {
  const { data } = (await call('GET', '/arbitrage/opportunities?limit=1')) as { data: { id: string }[] };
  const id = data[0]?.id ?? '';
  const detail = async () => (await call('GET', `/arbitrage/opportunities/${id}`)) as Detail;
  const { target_price: target, positions } = await detail();
  await control('pause');
  const price = ((target / positions.length) * 0.9).toFixed(2);
  for (const { token_id } of positions) {
    await control('book', { token_id, bids: [{ price: '0.01', size: '500' }], asks: [{ price, size: '500' }] });
  }
  const quote = Number(price) * positions.length;
  // An order is refused until the desk has heard of the new books, and where their price is not the one it was quoted.
  while (Math.abs(((await detail()).current_price ?? 0) - quote) >= 0.005) await pause(200);
  const placed = (await call('POST', `/arbitrage/place-order/${id}?quoted_price=${quote.toFixed(2)}`)) as {
    id: string;
  };
  await control('resume');
  return { opportunityId: id, batchId: placed.id };
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
    ],
    {
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return report.parse(JSON.parse(printed));
}

function failedAudits({ audits }: Report): string[] {
  return Object.entries(audits)
    .filter(([, { score, scoreDisplayMode }]) => scoreDisplayMode === 'binary' && score === 0)
    .map(([name]) => name);
}

async function measure(origin: string, page: { path: string; performanceMin: number | null }): Promise<void> {
  const reports: Report[] = [];
  while (reports.length < (page.performanceMin === null ? 1 : RUNS)) reports.push(await audit(`${origin}${page.path}`));
  const [performance = 0, ...others] = CATEGORIES.map((name) =>
    Math.round(median(reports.map(({ categories }) => categories[name].score ?? 0)) * 100),
  );
  const lower = Math.min(...others);
  const metrics = METRICS.map((name) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? 0)));
  const [paint = 0, largest = 0, blocking = 0, shift = 0] = metrics;
  const question = `Lighthouse on a phone, ${page.path.replace(ANY_ID, '{id}')}`;
  tellScore(`${question}: the lower of accessibility and best practices`, lower, 100);
  tellScore(`${question}: performance`, performance, page.performanceMin);
  if (page.performanceMin !== null) {
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

await using product = await runProduct({ demoData: 'on' });
const { opportunityId, batchId } = await placeOne(product);
const profile = mkdtempSync(path.join(tmpdir(), 'dutchbook-lighthouse-'));
const browser = await launchBrowserAt(profile, DEBUGGING_PORT);
try {
  const asked = pagesOf(opportunityId, batchId).filter(({ path }) => isAsked(path));
  for (const each of asked.filter(({ path }) => path === '/login')) await measure(product.url, each);
  const page = await browser.newPage();
  await page.goto(`${product.url}/login`);
  await page.evaluate((token) => localStorage.setItem('access_token', token), product.token);
  await page.close();
  for (const each of asked.filter(({ path }) => path !== '/login')) await measure(product.url, each);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
