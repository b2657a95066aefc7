import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import { test } from './desk-test.ts';
import { cell, rowsOf } from './screen.ts';

const COUNT = 80;
const LAST = COUNT - 1;

type Row = { id: string; target_price: number; current_price: number | null };

const idOf = (nth: number, model: string) => `${nth.toString(16).padStart(8, '0')}${model.slice(8)}`;

/** The list of opportunities with many rows made of its first, and a stream that is silent but for what the test says. */
async function serveMany(page: Page) {
  const served: { rows: Row[]; stream: WebSocketRoute | undefined } = { rows: [], stream: undefined };
  await page.routeWebSocket('**/api/v1/stream', (socket) => {
    served.stream = socket;
    socket.onMessage(() => socket.send(JSON.stringify({ type: 'ready', seq: 1 })));
  });
  await page.route('**/api/v1/arbitrage/opportunities?*', async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: Row[] };
    const [model] = data;
    if (model === undefined) throw new Error('there is no opportunity');
    const rows = Array.from({ length: COUNT }, (_, nth) => ({ ...model, id: idOf(nth, model.id) }));
    served.rows = route.request().url().includes('sort_order=asc') ? rows.toReversed() : rows;
    await route.fulfill({ json: { data: served.rows, count: COUNT } });
  });
  let seq = 1;
  const reprice = (nth: number, current_price: number) => {
    seq += 1;
    const data = { ...served.rows[nth], current_price };
    served.stream?.send(JSON.stringify({ seq, topic: 'opportunities', type: 'opportunity', id: data.id, data }));
  };
  return { reprice };
}

test('a list of many rows stays a table in line, in reach of keys, and shows far down what is newest', async ({
  page,
  set: _set,
}) => {
  const { reprice } = await serveMany(page);
  await page.goto('/arbitrage');
  const rows = rowsOf(page, 'Arbitrage Opportunities');
  await expect(rows).toHaveCount(COUNT);
  await expect(page.getByRole('row')).toHaveCount(COUNT + 1);
  await expect(rows.first().getByRole('cell')).toHaveCount(8);
  const left = async (column: string) => [
    (await page.getByRole('columnheader', { name: column }).boundingBox())?.x,
    (await cell(rows.first(), column).boundingBox())?.x,
    (await cell(rows.nth(LAST), column).boundingBox())?.x,
  ];
  for (const column of ['Created', 'Profit %', 'Actions']) {
    const [head, first, last] = await left(column);
    expect([first, last]).toEqual([head, head]);
  }

  // Nobody sees the last row yet.
  reprice(LAST, 0.1234);
  reprice(0, 0.4321);
  await expect(cell(rows.first(), 'Current Price')).toContainText('0.4321');
  await page.keyboard.press('k');
  await expect(rows.nth(LAST)).toBeFocused();
  await expect(rows.nth(LAST)).toBeInViewport();
  await expect(cell(rows.nth(LAST), 'Current Price')).toContainText('0.1234');
  reprice(LAST, 0.2345);
  await expect(cell(rows.nth(LAST), 'Current Price')).toContainText('0.2345');

  const link = rows.nth(LAST).getByRole('link');
  await expect(link).toHaveText(idOf(LAST, '').slice(0, 8));
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
  await expect(rows.first().getByRole('link')).toHaveText(idOf(LAST, '').slice(0, 8));
  await rows
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rows.first().getByRole('button', { name: /^Actions for/ })).toBeFocused();
});

test('a list of many rows is cards on a phone, and a table again when there is room', async ({ page, set: _set }) => {
  await serveMany(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/arbitrage');
  const rows = rowsOf(page, 'Arbitrage Opportunities');
  await expect(rows).toHaveCount(COUNT);
  const id = await cell(rows.first(), 'ID').boundingBox();
  const combinations = await cell(rows.first(), 'Market Combinations').boundingBox();
  expect(combinations?.y).toBeGreaterThan(id?.y ?? Number.POSITIVE_INFINITY);
  await page.keyboard.press('k');
  await expect(rows.nth(LAST)).toBeInViewport();
  // Of a wide window, and of one that the table is wider than.
  for (const width of [1280, 620]) {
    await page.setViewportSize({ width, height: 800 });
    const actions = page.getByRole('columnheader', { name: 'Actions' });
    await expect
      .poll(async () => (await cell(rows.nth(LAST), 'Actions').boundingBox())?.x)
      .toBe((await actions.boundingBox())?.x);
    await rows
      .nth(LAST)
      .getByRole('button', { name: /^Actions for/ })
      .click({ trial: true });
  }
});
