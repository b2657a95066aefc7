/** The report: what was earned, where it went and what was missed, each figure with the way to what it is made of. */

import { listBatchResults } from '@dutchbook/contract/batch-results.ts';
import { listLedger } from '@dutchbook/contract/ledger.ts';
import {
  listMissed,
  listReportChoices,
  listReportDays,
  readExecutionQuality,
  readExposure,
  readFunnel,
  readReport,
} from '@dutchbook/contract/report.ts';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, expectCells, figureIn, rowsOf, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** Every part of the tab has been read. */
async function expectTab(name: keyof typeof TABS) {
  await page.getByRole('tab', { name }).click();
  await TABS[name]();
}

/** The way to its setting is a superuser's. */
const SMALLER = /^Orders were smaller than what paid, bounded by the loss allowance of a clip/;

const TABS = {
  Money: async () => {
    await expect.element(page.getByRole('img', { name: 'Paid, added up' })).toBeVisible();
    await expect.poll(() => rowsOf('Exposure by Event').length).toBe(2);
  },
  Execution: async () => expect.poll(() => rowsOf('Execution by size').length).toBe(2),
  Missed: async () => expect.poll(() => rowsOf('Missed money').length).toBe(3),
};

test('draws no loss as long as a gain, and calls dollars that were saved so, and less than half a cent as predicted', async () => {
  server.answer(readReport, { ...recorded(readReport), paid_usd: -19.47, slippage_usd: -1 });
  await open('/report');
  const profit = region('Profit');
  await expect.element(profit.getByText('Paid is a loss, not in the bar')).toBeVisible();
  const drawn = [...profit.element().querySelectorAll('[aria-hidden] > [data-part]')];
  expect(drawn.map((part) => part.getAttribute('data-part'))).toEqual(['locked', 'risk']);
  expect(figureIn(region('Where It Went'), 'Slippage')).toBe('$1.00less than predicted');
  server.answer(readReport, { ...recorded(readReport), slippage_usd: -0.0002 });
  await open('/report');
  await expect.poll(() => figureIn(region('Where It Went'), 'Slippage')).toBe('$0.00as predicted');
});

test('shows profit in its three parts, where the rest went, and the return beside the hurdle', async () => {
  const { address } = await open('/report');
  await expectTab('Money');
  expect(figureIn(region('Profit'), 'At Risk')).toMatch(/^\$1\.20/);
  expect(figureIn(region('Profit'), 'Locked')).toMatch(/\+\$3\.75/);
  expect(figureIn(region('Profit'), 'Paid')).toMatch(/\+\$12\.40/);
  expect(figureIn(region('Where It Went'), 'Slippage')).toMatch(/^\+\$0\.21/);
  // Green is for what was gained: what was lost on the way is not, though it leads somewhere.
  const lost = region('Where It Went').getByRole('link', { name: '+$0.21' }).element();
  expect(getComputedStyle(lost).color).toBe(getComputedStyle(document.body).color);
  expect(figureIn(region('Where It Went'), 'Gas (POL)')).toBe('0.0123');
  expect(figureIn(region('Where It Went'), 'Lost Selling')).toMatch(/^\$0\.37/);
  expect(figureIn(region('Capital'), 'Annualised')).toBe('7.35%above the hurdle of 4.40%');
  await expectAccessible('the money of the report');
  await expectTab('Execution');
  await expectCells('Times from the trigger', 'Half Within', '9 ms', '38 ms', '2.400 s', 'none yet');
  await expectAccessible('the execution of the report');
  await expectTab('Missed');
  await expectCells('From seen to cash', 'First Reason', '–', 'Below the threshold', 'Not enough cash', ...REASONS);
  await expectCells(
    'Missed money',
    'Reason',
    `Not enough cash${MISSED_REASONS[0]}`,
    'Automatic orders are off',
    SMALLER,
  );
  await expectAccessible('what the report says was missed');
  expect(address()).toBe('/report?tab=missed');
  // A tab is opened by its address too, and asks for nothing that another one shows.
  const funnels = server.askedFor(readFunnel).length;
  await open('/report?tab=execution');
  await TABS.Execution();
  expect(server.askedFor(readFunnel)).toHaveLength(funnels);
});

const REASONS = ['Automatic orders are off', 'A leg was filled in part', 'Fees and slippage', 'Not resolved yet'];

/** The cells of tables and the figures of panels in which a number stands, but for the names of rows and columns. */
function figures(): Element[] {
  const content = document.getElementById('content');
  const cells = [...(content?.querySelectorAll('dd, td:not(:first-child), td[data-sign]') ?? [])];
  return cells.filter((cell) => /\d/.test(withoutDate(cell)) && cell.getAttribute('data-label') !== 'First Reason');
}

/** A day of the calendar bears its date, which is no figure. */
function withoutDate(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  if (cell.closest('table')?.getAttribute('aria-label')?.startsWith('Profit by day')) copy.firstElementChild?.remove();
  return copy.textContent;
}

const FILTER =
  'since=2026-11-01&operatorId=25cd5b87-7736-4471-83cc-07b6cc8ce996&automatic=true&source=desk&structure=pair';
const ASKED = {
  since: '2026-11-01',
  operator_id: '25cd5b87-7736-4471-83cc-07b6cc8ce996',
  automatic: 'true',
  source: 'desk',
  structure: 'pair',
};

/** The names under which an address and the server know what a list is narrowed to. */
const NAMES: Record<string, string> = {
  sizeBand: 'size_band',
  releaseMonth: 'release_month',
  isOpen: 'is_open',
  cashDay: 'cash_day',
  cashSince: 'cash_since',
  lockDay: 'lock_day',
  eventId: 'event_id',
  operatorId: 'operator_id',
  cameTo: 'came_to',
  sortBy: 'sort_by',
};

test('has behind every figure the list that it is made of, narrowed as the report is', async () => {
  const shown = await open(`/report?${FILTER}`);
  const all: Element[] = [];
  for (const name of ['Money', 'Execution', 'Missed'] as const) {
    await expectTab(name);
    for (const control of await page.getByText('Table', { exact: true }).all()) await control.click();
    if (name === 'Execution') await expect.poll(() => rowsOf('Execution by Hour (UTC)').length).toBe(3);
    all.push(...figures());
    for (const control of await page.getByText('Picture', { exact: true }).all()) await control.click();
    if (name === 'Money')
      await expect.element(page.getByRole('table', { name: /^Profit by day, November 2026/ })).toBeVisible();
    all.push(...figures());
  }
  expect(all.length).toBeGreaterThan(120);
  const bare = all.filter((figure) => figure.querySelector('a[href]') === null);
  expect(bare.map(({ textContent }) => textContent)).toEqual([]);
  expect(shown.address()).toBe(`/report?${FILTER}&tab=missed`);
  const links = new Set(
    all.flatMap((figure) => [...figure.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')),
  );
  // One of each kind is followed: those that differ in a value alone lead to the same list.
  const kinds = new Map([...links].map((href) => [href.replaceAll(/=[^&]*/g, ''), href]));
  for (const href of kinds.values()) await expectList(href);
});

/** A link leads to the list that it names, and the server is asked for just what it says. */
async function expectList(href: string) {
  await open(href);
  const address = new URL(href, 'https://desk.example');
  const endpoint = { '/report/batches': listBatchResults, '/ledger': listLedger, '/report/missed': listMissed }[
    address.pathname
  ];
  if (endpoint === undefined) throw new Error(`${href} is no list of what a figure is made of`);
  const wanted = Object.fromEntries([...address.searchParams].map(([name, value]) => [NAMES[name] ?? name, value]));
  // What became cash is of the days of the report, whenever its batches triggered.
  const byCash = wanted.cash_day ?? wanted.cash_since;
  const { since, ...besidesDays } = ASKED;
  const isOfOneDay = wanted.since !== undefined && wanted.since === wanted.until;
  const besides = byCash === undefined && !isOfOneDay ? ASKED : besidesDays;
  if (endpoint !== listLedger) expect(wanted, href).toMatchObject(besides);
  expect(byCash !== undefined && wanted.since !== undefined, href).toBe(false);
  if (wanted.cash_since !== undefined) expect(wanted.cash_since).toBe(since);
  if (endpoint === listLedger && wanted.since !== undefined) wanted.since = `${wanted.since}T00:00:00.000Z`;
  const asked = () => server.askedFor(endpoint).at(-1)?.query;
  await expect.poll(asked, { message: href }).toMatchObject(unquoted(wanted));
}

/** The router writes a text that reads like a number in quotes. */
function unquoted(query: Record<string, string>) {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value.replaceAll('"', '')]));
}

test('is narrowed by filters that stand in the address, and asks the server for just those', async () => {
  const { address } = await open('/report');
  await expectTab('Money');
  await page.getByLabelText('Placed').selectOptions('By hand');
  await page.getByLabelText('Structure').selectOptions('Pair');
  await page.getByLabelText('Source').selectOptions('desk');
  await button('Apply').click();
  await expect.poll(address).toBe('/report?automatic=false&source=desk&structure=pair');
  const parts = {
    Money: [readReport, listReportDays, readExposure],
    Execution: [readExecutionQuality],
    Missed: [readFunnel],
  };
  for (const [name, endpoints] of Object.entries(parts)) {
    await expectTab(name as keyof typeof TABS);
    for (const endpoint of endpoints)
      await expect
        .poll(() => server.askedFor(endpoint).at(-1)?.query)
        .toMatchObject({ automatic: 'false', source: 'desk', structure: 'pair' });
  }
  await button('Clear').click();
  await expect.poll(address).toBe('/report?tab=missed');
});

test('is narrowed to an event by its name, and to what no source has brought', async () => {
  const { address } = await open('/report');
  await expectTab('Money');
  const event = page.getByLabelText('Event', { exact: true });
  await typeInto(event, 'rain');
  await expect.poll(() => server.askedFor(listReportChoices).at(-1)?.query.search).toBe('rain');
  await button('Apply').click();
  await expect.element(page.getByText('Choose one of the events that are offered')).toBeVisible();
  const list = document.getElementById(event.element().getAttribute('list') ?? '');
  expect([...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toContain('Rain in Corran');
  await typeInto(event, 'Rain in Corran');
  await page.getByLabelText('Source').selectOptions('None');
  await button('Apply').click();
  await expect.poll(address).toBe('/report?eventId=%22917%22&source=%28none%29');
  await expect.poll(() => server.askedFor(readReport).at(-1)?.query).toMatchObject({ event_id: '917', source: '' });
  await expect.element(page.getByLabelText('Event', { exact: true })).toHaveValue('Rain in Corran');
  expect(server.askedFor(listReportChoices).at(-1)?.query.event_id).toBe('917');
  await expectAccessible('a report of one event');
});

test('shows the last days at a press, and a profit by the day of its lock', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T23:30:00Z'), toFake: ['Date'] });
  const { address } = await open('/report');
  await expectTab('Money');
  await button('7 days').click();
  await expect.poll(address).toBe('/report?since=2026-11-15');
  await expect.element(button('7 days')).toHaveAttribute('aria-pressed', 'true');
  await page.getByText('Day of lock').click();
  await expect.poll(address).toBe('/report?since=2026-11-15&by=lock');
  await expect.poll(() => server.askedFor(listReportDays).map(({ query }) => query.by)).toContain('lock');
  await expect.element(page.getByRole('heading', { name: 'Locked In by Day (UTC)' })).toBeVisible();
  const day = page.getByRole('link', { name: /\+\$13\.25/ });
  await expect
    .element(day)
    .toHaveAttribute('href', '/report/batches?sortBy=paid_usd&since=2026-11-15&lockDay=2026-11-21');
});

test('reads as tables too, and hands them over as CSV to the last unit', async () => {
  const saved: string[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    void (file as Blob).text().then((text) => saved.push(text));
    return '#';
  });
  await open('/report');
  await expectTab('Money');
  await region('Paid, Added Up').getByText('Table', { exact: true }).click();
  await expectCells('Paid, Added Up', 'Paid', '↑+$4.20', '↓-$1.30', '↑+$9.50');
  await button('Export CSV of paid').click();
  await expect.poll(() => saved.at(-1)).toBe(PAID);
  await expectTab('Missed');
  await button('Export CSV of missed money').click();
  await expect.poll(() => saved.at(-1)).toMatch(/^Reason,Count,Dollars Missed\r\nNot enough cash,22,13\.4/);
  create.mockRestore();
});

const PAID = [
  'Day,Batches,Paid,Fees,Slippage',
  '2026-11-19,5,4.2,0.3,0.08',
  '2026-11-20,2,-1.3,0.2,-0.02',
  '2026-11-21,6,9.5,0.4,0.15',
  '',
].join('\r\n');

test('says that buying is paused, and from which rate on', async () => {
  const execution = recorded(readExecutionQuality);
  server.answer(readExecutionQuality, { ...execution, settlements: { ...execution.settlements, is_paused: true } });
  await open('/report?tab=execution');
  await expect.element(page.getByText('Buying is paused: too many settlements have failed.')).toBeVisible();
  await expect.element(page.getByText(/Buying pauses while more than 5\.00% fail/)).toBeVisible();
});

test('a new account has an empty report, with the way to a first batch', async () => {
  server.answer(readReport, {
    ...recorded(readReport),
    batches: 0,
    annualised: null,
    times: { sent: null, matched: null, confirmed: null, cash: null },
  });
  server.answer(readFunnel, {
    steps: recorded(readFunnel).steps.map((step) => ({ ...step, count: 0, usd: 0, lost_usd: 0, first_reason: null })),
    smaller: [],
    missed: [],
  });
  await open('/report');
  await expect.element(page.getByText('No batch has been placed yet.')).toBeVisible();
  await expectAccessible('the report of a new account');
  await page.getByRole('tab', { name: 'Missed' }).click();
  await expect.element(page.getByText('Nothing that paid was left out.')).toBeVisible();
  await open('/report?source=desk');
  await page.getByRole('link', { name: 'Show All' }).click();
  await expect.element(page.getByText('No batch has been placed yet.')).toBeVisible();
});

test('says which part cannot be read, and shows the others', async () => {
  server.answer(readFunnel, () => refusal(409, 'Come back later'));
  await open('/report?tab=missed');
  await expect.element(page.getByText('Error loading the funnel')).toBeVisible();
  await page.getByRole('tab', { name: 'Money' }).click();
  await expect.element(region('Capital')).toBeVisible();
  server.answer(readReport, () => refusal(409, 'Come back later'));
  await open('/report');
  await expect.element(page.getByText('Error loading the report')).toBeVisible();
});

test('lists the results of batches, sorted, and opens one', async () => {
  const { address } = await open('/report/batches?isOpen=true&sizeBand=10');
  await expectCells(
    'Results',
    'Event',
    'Next chair of the Harbour LeagueAutomatic · Exactly one · discovery12.00 sh, bounded by the free cash',
  );
  await expectCells('Results', 'Locked', '↑+$1.44');
  await expectCells('Results', 'Slippage', '+$0.05');
  await expectAccessible('the results of batches');
  await button(/^Locked/).click();
  await expect.poll(address).toBe('/report/batches?isOpen=true&sizeBand=%2210%22&sortBy=locked_usd');
  await expect.element(page.getByLabelText('Size of leg')).toHaveValue('10');
  expect(cellsOf('Results', 'Batch')[0]?.querySelector('a')?.getAttribute('href')).toMatch(/^\/batches\/39d519ea/);
  await open('/report/batches?sortBy=moved_in_flight_usd');
  await expectCells('Results', 'In Flight', '+$0.03');
  const [row] = recorded(listBatchResults).data;
  if (row === undefined) throw new Error('no result was recorded');
  const clip = (number: number) => ({
    ...row,
    batch_id: crypto.randomUUID(),
    series_id: row.batch_id,
    clip_number: number,
  });
  server.answer(listBatchResults, ({ query }) => {
    if (query.series_id === row.batch_id) return { data: [clip(1), clip(2)], count: 2 };
    expect(query.series).toBe('one_row');
    return { data: [{ ...clip(1), batch_id: row.batch_id, clips: 2, size: 24 }], count: 1 };
  });
  await open('/report/batches');
  await page.getByText('2 clips').click();
  await expect
    .element(page.getByText('12.00 sh, bounded by the free cash: $1.54 predicted, $0.00 paid, $1.44 locked').nth(1))
    .toBeVisible();
  server.answer(listBatchResults, { data: [], count: 0 });
  await open('/report/batches');
  await expect.element(page.getByText('No batch has been placed yet.')).toBeVisible();
});

test('lists what was missed behind each figure of it, with the way to its relation and opportunity', async () => {
  const { address } = await open('/report?source=desk&tab=missed');
  await TABS.Missed();
  expect(hrefs('From seen to cash', 'Count').slice(0, 3)).toEqual([
    '/report/missed?source=desk',
    '/report/missed?source=desk&cameTo=triggered',
    '/report/missed?source=desk&cameTo=allowed',
  ]);
  expect(hrefs('From seen to cash', 'Lost Before').slice(1, 4)).toEqual([
    '/report/missed?source=desk&reached=seen',
    '/report/missed?source=desk&reached=triggered',
    '/report/missed?source=desk&reached=allowed',
  ]);
  await page.getByRole('table', { name: 'Missed money' }).getByRole('link', { name: '22' }).click();
  await expect.poll(address).toBe('/report/missed?source=desk&reached=triggered&reason=Not+enough+cash');
  const asked = () => server.askedFor(listMissed).at(-1)?.query;
  await expect.poll(asked).toMatchObject({ source: 'desk', reached: 'triggered', reason: 'Not enough cash' });
  await expectCells('Missed', 'Reason', ...MISSED_REASONS);
  await expectCells('Missed', 'Size', '14.00', '–');
  expect(hrefs('Missed', 'Event')).toEqual([
    '/arbitrage/6e0e0001-f30d-430c-ae97-f8776c149f7f',
    '/discover/5d0e0001-f30d-430c-ae97-f8776c149f7f',
    '/arbitrage/6e0e0002-f30d-430c-ae97-f8776c149f7f',
  ]);
  await expect.element(page.getByText('The funnel also counts what was placed')).not.toBeInTheDocument();
  await button(/^Dollars Missed/).click();
  await expect.poll(asked).toMatchObject({ reached: 'triggered', sort_by: 'usd', sort_order: 'desc' });
  await page.getByLabelText('Last step').selectOptions('Any step');
  await typeInto(page.getByLabelText('Reason'), '');
  await button('Apply').click();
  await expect.poll(address).toBe('/report/missed?source=desk&sortBy=usd');
  await expect
    .element(page.getByRole('link', { name: 'Results of Batches' }))
    .toHaveAttribute('href', '/report/batches?sortBy=predicted_usd&source=desk');
  server.answer(listMissed, { data: [], count: 0 });
  await open('/report/missed?source=desk&reached=allowed');
  await expect.element(page.getByText('The funnel also counts what batches were smaller by')).toBeVisible();
  await open('/report/missed');
  await expect.element(page.getByText('Nothing that paid was left out.')).toBeVisible();
});

const MISSED_REASONS = [
  'Not enough cash: the orders cost $14.20 and $9.05 is free. Leg 2 is short of 11 shares.',
  'Orders are not placed automatically (“Buy automatically”)Buy automatically',
];

function hrefs(table: string, column: string): (string | null)[] {
  return cellsOf(table, column).flatMap((cell) =>
    [...cell.querySelectorAll('a')].map((link) => link.getAttribute('href')),
  );
}
