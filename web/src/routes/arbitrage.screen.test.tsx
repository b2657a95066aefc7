import { checkAllOpportunities } from '@dutchbook/contract/jobs.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import {
  checkOpportunity,
  deleteOpportunity,
  listOpportunities,
  readOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { readHistories } from '@dutchbook/contract/valuation.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, dialog, expectCells, expectRoomFor, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server, tell } from '../testing/screen.tsx';
import { lost, refusal } from '../testing/server.ts';

const LIST = 'Arbitrage Opportunities';
const MANY = 80;
const LAST = MANY - 1;

type Row = ReturnType<typeof recorded<typeof listOpportunities>>['data'][number];

const [MODEL] = recorded(listOpportunities).data;

/** As many rows as were asked for, told apart by their ids and target prices. */
function many(count: number): Row[] {
  return Array.from({ length: count }, (_, nth) => ({
    ...(MODEL as Row),
    id: `${nth.toString(16).padStart(8, '0')}${MODEL?.id.slice(8)}`,
    target_price: (50 + nth) / 100,
  }));
}

/** A list that is served page by page, as it is or in reverse. */
function serve(rows: readonly Row[]): void {
  server.answer(listOpportunities, ({ query }) => {
    const [skip, limit] = [Number(query.skip), Number(query.limit)];
    const sorted = query.sort_order === 'asc' ? rows.toReversed() : rows;
    return { data: sorted.slice(skip, skip + limit), count: rows.length };
  });
}

const serveMany = () => {
  const rows = many(MANY);
  server.answer(listOpportunities, ({ query }) => ({
    data: query.sort_order === 'asc' ? rows.toReversed() : rows,
    count: MANY,
  }));
  return (nth: number, current_price: number) => {
    const data = { ...rows[nth], current_price };
    tell('opportunities', 'opportunity', data.id ?? '', data);
  };
};

const row = (nth: number) => page.elementLocator(rowsOf(LIST)[nth] as Element);
const menuOf = (nth: number) => row(nth).getByRole('button', { name: /^Actions for/ });
const leftOf = (element: Element | undefined) => element?.getBoundingClientRect().x;
const priceOf = (nth: number) => cellsOf(LIST, 'Current Price')[nth]?.textContent;

test('a cost that falls is a gain to the one who buys, and one that rises a loss; it is tinted for a moment', async () => {
  const reprice = serveMany();
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(MANY);
  const moved = (nth: number) => cellsOf(LIST, 'Current Price')[nth]?.querySelector<HTMLElement>('[data-move]');
  for (const price of [0.9, 0.4]) reprice(0, price);
  await expect.poll(() => priceOf(0)).toContain('0.4000');
  reprice(0, 0.3);
  await expect.poll(() => moved(0)?.dataset).toMatchObject({ move: 'down', good: 'true' });
  reprice(0, 0.5);
  await expect.poll(() => moved(0)?.dataset).toMatchObject({ move: 'up', good: 'false' });
  const tint = () => moved(0)?.parentElement?.dataset.tint;
  await expect.poll(tint).toBe('loss');
  await expect.poll(tint).toBeUndefined();
});

test('a list of many rows stays a table in line, in reach of keys, and shows far down what is newest', async () => {
  const reprice = serveMany();
  await page.viewport(1680, 900);
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(MANY);
  expect(page.getByRole('row').length).toBe(MANY + 1);
  expect(row(0).getByRole('cell').length).toBe(12);
  for (const column of ['Created', 'Profit %', 'Actions']) {
    const head = leftOf(page.getByRole('columnheader', { name: column }).element());
    const cells = cellsOf(LIST, column);
    expect([leftOf(cells[0]), leftOf(cells[LAST])]).toEqual([head, head]);
  }

  // The last row is not in sight yet.
  reprice(LAST, 0.1234);
  reprice(0, 0.4321);
  await expect.poll(() => priceOf(0)).toContain('0.4321');
  await userEvent.keyboard('k');
  await expect.element(row(LAST)).toHaveFocus();
  await expect.element(row(LAST)).toBeInViewport();
  await expect.poll(() => priceOf(LAST)).toContain('0.1234');
  reprice(LAST, 0.2345);
  await expect.poll(() => priceOf(LAST)).toContain('0.2345');

  const last = LAST.toString(16).padStart(8, '0');
  await expect.element(row(LAST).getByTitle(new RegExp(`^${last}`))).toHaveTextContent(last);
  const created = page.getByRole('columnheader', { name: 'Created' }).getByRole('button');
  await created.click();
  await created.click();
  await expect.poll(() => rowsOf(LIST)[0]?.querySelector('[data-key=id] a')?.textContent).toBe(last);
  await menuOf(0).click();
  await expect.element(page.getByRole('menuitem', { name: 'View Details' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menuOf(0)).toHaveFocus();
});

test('a list of many rows is cards on a phone, and a table again when there is room', async () => {
  serveMany();
  await onPhone();
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(MANY);
  const top = (column: string) => cellsOf(LIST, column)[0]?.getBoundingClientRect().y ?? 0;
  expect(top('Status')).toBeGreaterThan(top('Market Combinations'));
  await userEvent.keyboard('k');
  await expect.element(row(LAST)).toBeInViewport();
  // Of a wide window, and of one that the table is wider than.
  for (const width of [1280, 620]) {
    await page.viewport(width, 800);
    const head = () => leftOf(page.getByRole('columnheader', { name: 'Actions' }).element());
    await expect.poll(() => leftOf(cellsOf(LIST, 'Actions')[LAST]) === head()).toBe(true);
    await menuOf(LAST).click({ trial: true } as object);
  }
});

test.for([620, 768, 1024, 1279, 1280, 1440])(
  'in a window of %i pixels nothing of a row has to be scrolled to',
  async (width) => {
    await page.viewport(width, 900);
    const { data, count } = recorded(listOpportunities);
    server.answer(listOpportunities, { data: data.map((row) => ({ ...row, annualised_return: 1112.5 })), count });
    await open('/arbitrage');
    await expect.poll(() => cellsOf(LIST, 'Status').length).toBe(10);
    const frame = page.getByRole('table', { name: LIST }).element().parentElement as HTMLElement;
    await expectRoomFor(LIST);
    const edge = frame.getBoundingClientRect().right;
    for (const column of ['Target Price', 'Current Price', 'Profit %', 'Status', 'Actions']) {
      const rights = cellsOf(LIST, column).map((cell) => cell.getBoundingClientRect().right);
      expect(Math.max(...rights), column).toBeLessThanOrEqual(edge);
      expect(rights, column).toHaveLength(10);
    }
    // When it was found is shown where there is room, and on a card.
    const isShown = (cellsOf(LIST, 'Created')[0]?.getBoundingClientRect().width ?? 0) > 0;
    expect(isShown).toBe(width >= 1280);
  },
);

test('on a phone what can be done with the whole list is one button and one menu', async () => {
  serve(many(2));
  server.answer(checkAllOpportunities, () => refusal(503, 'Not now'));
  await onPhone();
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  const add = button('Add Opportunity').element().getBoundingClientRect();
  expect(button('More').element().getBoundingClientRect().y).toBe(add.y);
  await button('More').click();
  const entries = () =>
    page
      .getByRole('menuitem')
      .elements()
      .map(({ textContent }) => textContent);
  expect(entries()).toEqual(['Import CSV', 'Export CSV', 'Check All', 'Update Prices']);
  await page.getByRole('menuitem', { name: 'Check All' }).click();
  await expect.element(toast('Not now')).toBeVisible();
});

test('a row draws how its profit has moved, and says what a set earns in dollars', async () => {
  const [first] = many(1) as [Row];
  const priced = { current_price: 0.47, fees_per_set: 0.01, profit_percentage: 4.17, annualised_return: 12.5 };
  serve([{ ...first, ...priced, last_error: null }]);
  server.answer(readHistories, { data: [{ opportunity_id: first.id, profit_percentages: [null, -1, 4.17] }] } as never);
  await open('/arbitrage');
  const line = page.getByRole('img', { name: 'Profit in the last hour: from -1.00% to 4.17%' });
  await page.viewport(1760, 900);
  await expect.element(line).toBeVisible();
  await expectCells(LIST, 'Profit %', /\+4\.17%\+\$0\.02/);
  await expectCells(LIST, '% a Year', '12.50%');
  await expect.element(page.getByText('12.50% a year')).not.toBeVisible();
  await page.viewport(1440, 900);
  await expect.element(page.getByText('12.50% a year')).toBeVisible();
  await onPhone();
  const right = (of: Element | null | undefined) => of?.getBoundingClientRect().right ?? 0;
  const [cell] = cellsOf(LIST, 'Profit %');
  await expect
    .poll(() => Math.max(...[...(cell?.querySelectorAll('*') ?? [])].map(right)))
    .toBeLessThan(right(cell) + 1);
});

test('has no return a year of what is cash again within a day, and says why', async () => {
  const [first] = many(1) as [Row];
  const soon = { profit_percentage: 2, annualised_return: 52_560, outdated: null, last_error: null };
  serve([{ ...first, ...soon, active: true }]);
  await page.viewport(1760, 900);
  await open('/arbitrage');
  await expectCells(LIST, '% a Year', 'within a day');
  const reason = 'None: the cash is back within a day, so a return a year says nothing';
  await expect.element(page.getByTitle(reason)).toBeVisible();
  await page.viewport(1440, 900);
  await expect.element(page.getByText(/a year$/)).not.toBeInTheDocument();
});

test('no row moves when a badge comes or goes, or when a job of another user begins and ends', async () => {
  const [first, second] = many(2) as [Row, Row];
  serve([first, second]);
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  const place = () => rowsOf(LIST).map((each) => [each.getBoundingClientRect().y, each.offsetHeight]);
  const before = place();
  for (const change of [
    { triggered: true },
    { triggered: true, flags: ['too_good_to_be_true', 'augmented_event'] as const },
    { triggered: false, flags: ['augmented_event'] as const },
  ]) {
    tell('opportunities', 'opportunity', first.id, { ...first, ...change });
    const badge =
      change.flags === undefined ? 'Triggered' : change.triggered ? 'Not bought automatically' : 'Augmented event';
    await expect.poll(() => cellsOf(LIST, 'Status')[0]?.textContent).toContain(badge);
    expect(place()).toEqual(before);
  }
  const job = {
    id: first.id,
    kind: 'check_all',
    status: 'running',
    total: 2,
    message: null,
    started_at: first.created_at,
    finished_at: null,
  };
  tell('jobs', 'job', job.id, { ...job, done: 1 });
  await expect.element(page.getByText('Checking all opportunities')).toBeVisible();
  expect(place()).toEqual(before);
  tell('jobs', 'job', job.id, { ...job, status: 'done', done: 2 });
  await expect.element(page.getByText('2 of 2')).toBeVisible();
  expect(place()).toEqual(before);
});

test('a row says when it is triggered, doubtful or in error, and what was asked of it in vain', async () => {
  const { data, count } = recorded(listOpportunities);
  Object.assign(data[0] ?? {}, { triggered: true, flags: ['too_good_to_be_true', 'augmented_event'] });
  Object.assign(data[1] ?? {}, { last_error: 'Leg 1: no order book', profit_percentage: 2 });
  Object.assign(data[2] ?? {}, { last_error: 'Not enough balance', profit_percentage: 2 });
  server.answer(listOpportunities, { data, count });
  await open('/arbitrage');
  await expect
    .poll(() => cellsOf(LIST, 'Status')[0]?.textContent)
    .toBe('Not bought automatically: Too good to be true');
  await row(0).getByRole('button', { name: 'Not bought automatically' }).hover();
  await expect.element(page.getByRole('tooltip')).toMatchTextContent(/more than 20% after fees.*Augmented event/);
  expect(cellsOf(LIST, 'Profit %')[1]?.textContent).toBe('Error');
  expect(cellsOf(LIST, 'Profit %')[1]?.querySelector('[title]')?.getAttribute('title')).toBe('Leg 1: no order book');
  expect(cellsOf(LIST, 'Profit %')[2]?.textContent).toContain('+2.00%');
  await expectAccessible('rows that are doubtful and in error');
  const why = 'Leg 5 is at 0.0900, outside 0.1000 to 0.9000, and 1 more.';
  tell('opportunities', 'opportunity', data[3]?.id ?? '', { ...data[3], triggered: true, flags: [], blocked: why });
  await expect.poll(() => cellsOf(LIST, 'Status')[3]?.textContent).toBe(`Not bought automatically: ${why}`);
  tell('opportunities', 'opportunity', data[3]?.id ?? '', { ...data[3], triggered: true, flags: [], blocked: null });
  await expect.poll(() => cellsOf(LIST, 'Status')[3]?.textContent).toBe('ActiveTriggered');

  server.answer(checkOpportunity, lost);
  server.answer(deleteOpportunity, lost);
  vi.spyOn(window, 'confirm').mockReturnValue(true);
  for (const [entry, said] of [
    ['Check Prices', 'Failed to check arbitrage opportunity'],
    ['Delete', 'Failed to delete arbitrage opportunity'],
  ] as const) {
    await menuOf(2).click();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect.element(toast(said)).toMatchTextContent(/Something went wrong!/);
  }
  expect(rowsOf(LIST)).toHaveLength(10);
});

test('falls back to the first page and the newest first on params that make no sense, and to the last page from behind it', async () => {
  serve(many(25));
  for (const search of ['page=0', 'page=two', 'page=1.5', 'page=&sortBy=nonsense&sortOrder=up&active=perhaps']) {
    await open(`/arbitrage?${search}`);
    await expect.element(page.getByText('1–10 of 25')).toBeVisible();
    expect(server.askedFor(listOpportunities).at(-1)?.query).toMatchObject({ skip: '0', sort_order: 'desc' });
  }
  const { address } = await open('/arbitrage?page=99');
  await expect.poll(address).toBe('/arbitrage?page=3');
  await expect.poll(() => rowsOf(LIST).length).toBe(5);
});

test('says why the list could not be read, and reads it at a press once it can be', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  server.answer(listOpportunities, lost);
  await open('/arbitrage');
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(page.getByText('Error loading opportunities: The server cannot be reached')).toBeVisible();
  server.answer(listOpportunities, recorded(listOpportunities));
  await button('Try Again').click();
  await expect.poll(() => rowsOf(LIST).length).toBe(10);
  await expectCells(LIST, 'Target Price', ...recorded(listOpportunities).data.map(() => /^\d\.\d{4}$/));
});

test('a row says what it is about, what it would leave now, of how many sets, and when it pays; what pays is placed from it', async () => {
  const [first, second, third] = many(3) as [Row, Row, Row];
  const known = { about: 'First private crew to lunar orbit', name: 'First private crew to lunar orbit · No on all 4' };
  const paying = { active: true, profit_percentage: 4, last_error: null };
  serve([
    { ...first, ...known, ...paying, profit_usd: 12.5, max_profitable_size: 150, pays_at: '2027-01-31T12:00:00.000Z' },
    { ...second, ...known, active: true, profit_usd: null, max_profitable_size: null, pays_at: null },
    {
      ...{ ...third, ...known, active: true, profit_percentage: -1, profit_usd: -0.01, max_profitable_size: 0 },
      ...{ last_checked: '2026-11-21T10:00:00.000Z', pays_at: '2026-11-21T09:00:00.000Z' },
    },
  ]);
  const detail = { ...recorded(readOpportunity), ...known, ...paying, id: first.id };
  server.answer(readOpportunity, detail);
  await page.viewport(1440, 900);
  await open('/arbitrage');
  await expectCells(LIST, '$ Now', /\$12\.50/, '–', /-\$0\.01/);
  expect(server.askedFor(listOpportunities).at(-1)?.query).toMatchObject({ sort_by: 'profit_usd', sort_order: 'desc' });
  await expectCells(LIST, 'Size', '150.00', '–', '–');
  await expectCells(LIST, 'Pays On', /2027|Jan 31/, '–', 'At once');
  await expect.element(row(0).getByRole('link', { name: known.about })).toBeVisible();
  await expect.element(row(0).getByRole('button', { name: /^No on all 4/ })).toBeVisible();
  expect(row(2).getByRole('button', { name: 'Place' }).elements()).toHaveLength(0);
  await row(0)
    .getByRole('button', { name: `Place ${known.name}` })
    .click();
  await expect.element(dialog('Place Order')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Place Order')).not.toBeInTheDocument();
  await userEvent.keyboard('jp');
  await expect.element(dialog('Place Order')).toBeVisible();
});

test('inactive rows at the end fold, grey and of when, while nothing is filtered; by which prices profit is judged stands above', async () => {
  const as_of = '2026-11-21T10:00:00.000Z';
  serve(many(4).map((each, nth) => ({ ...each, active: nth < 2, outdated: nth < 2 ? null : { as_of } })));
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(2);
  await expect
    .element(
      page.getByText(
        /^Profit % is after fees, at the price of the first \$10\.00 of each leg\. .* An opportunity triggers at 0\.80%/,
      ),
    )
    .toBeVisible();
  await button('2 inactive, as they were last: what paid last first').click();
  await expect.poll(() => rowsOf(LIST).length).toBe(4);
  expect(rowsOf(LIST).map((each) => each.getAttribute('data-past'))).toEqual([null, null, 'true', 'true']);
  await expectAccessible('a list with inactive rows');
  await open('/arbitrage?active=false');
  await expect.poll(() => rowsOf(LIST).length).toBe(4);
  await onPhone();
  await open('/arbitrage');
  await button('2 inactive, as they were last: what paid last first').click();
  await expect.poll(() => cellsOf(LIST, 'Current Price')[3]?.textContent).toContain('as of');
  expect(rowsOf(LIST)[3]?.querySelector('[data-key="dollars"]')).toBeNull();
});

test('says above the list what pays most now, live, or what triggered last where nothing does', async () => {
  const [row] = many(1);
  if (row === undefined) throw new Error('no row');
  serve([{ ...row, active: true, outdated: null, profit_usd: 12.4 }]);
  await open('/arbitrage?active=false');
  await expect.element(page.getByText(/^Pays most now: \$12\.40, /)).toBeVisible();
  const [model] = recorded(listNotifications).data;
  if (model === undefined) throw new Error('no notification was recorded');
  const last = { ...model, opportunity_id: row.id, data: { name: 'Rain · Yes' } };
  server.answer(listNotifications, { data: [last], count: 1 });
  const fallen = { ...row, active: true, profit_usd: -0.5, updated_at: new Date().toISOString() };
  serve([fallen]);
  tell('opportunities', 'opportunity', row.id, fallen);
  // The row says how it ended.
  await expect.element(page.getByText(/^Nothing pays now; last triggered .*: Rain · Yes$/)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Rain · Yes' })).toHaveAttribute('href', `/arbitrage/${row.id}`);
  expect(server.askedFor(listNotifications).at(-1)?.query).toMatchObject({
    notification_type: 'opportunity_triggered',
    limit: '1',
  });
});

test('a pinned row stands above the list, also the next time', async () => {
  onTestFinished(() => localStorage.removeItem('pinned_opportunities'));
  serve(many(3));
  await open('/arbitrage');
  await expect.poll(() => rowsOf(LIST).length).toBe(3);
  await menuOf(1).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect.poll(() => rowsOf('Pinned opportunities').length).toBe(1);
  await open('/arbitrage');
  await expect.poll(() => rowsOf('Pinned opportunities').length).toBe(1);
  expect(server.askedFor(listOpportunities).some(({ query }) => query.ids === many(3)[1]?.id)).toBe(true);
  const pinned = page.getByRole('table', { name: 'Pinned opportunities' });
  await pinned.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Unpin' }).click();
  await expect.element(page.getByRole('region', { name: 'Pinned' })).not.toBeInTheDocument();
});
