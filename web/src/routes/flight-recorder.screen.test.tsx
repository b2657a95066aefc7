/** The books of the past: around a batch, and of an opportunity or a relation at a moment. */
import { readBatch, readBatchOrders } from '@dutchbook/contract/batches.ts';
import { readBatchMoments, readOpportunityMoments, readRelationMoments } from '@dutchbook/contract/flight-recorder.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { readHistory, readPricesBefore } from '@dutchbook/contract/valuation.ts';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, expectCells, expectTimes, figureIn } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

const BATCH = recorded(readBatch);
const KEPT = recorded(readBatchMoments);
const OPPORTUNITY = recorded(readOpportunity).id;
const RELATION = recorded(readRelation).id;
const AT = '2026-11-21T20:00:00.000Z';
const ms = (at: string | null | undefined) => Date.parse(at ?? '');
const after = (add: number) => new Date(ms(AT) + add).toISOString();

const panel = (name: string) => page.getByRole('region', { name, exact: true });
const slider = () => page.getByRole('slider', { name: 'Moment' });
const shownMs = () => Number((slider().element() as HTMLInputElement).value);
const book = (leg: number) => page.getByRole('table', { name: `Book of Leg ${leg}, Yes`, exact: true });
const events = () => page.getByRole('list', { name: 'Events' });

async function openBatch() {
  server.answer(readBatch, BATCH);
  server.answer(readBatchOrders, recorded(readBatchOrders));
  await open(`/batches/${BATCH.id}`);
  await bringIntoSight('Orders', 'Books Then');
}

/** Until `wanted`, which is fetched when it is near, is there: where the page stands is set by the router as well. */
async function bringIntoSight(near: string, wanted: string): Promise<void> {
  const isThere = () => {
    panel(near).query()?.scrollIntoView();
    const found = panel(wanted).query();
    return found !== null && found.querySelector('.mantine-Skeleton-root') === null;
  };
  await expect.poll(isThere, { interval: 200, timeout: 15_000 }).toBe(true);
}

const level = (price: number, size: number) => ({ price, size });
const legs = ['Harbour', 'Summit'].map((name, index) => ({
  ...{
    leg: index + 1,
    market_id: `0x${index}`,
    market_name: `Will ${name} win?`,
    outcome: 'Yes',
    token_id: `${index}`,
  },
}));
const leg = (index: number, ask: number, trust: 'live' | 'stale' = 'live') => ({
  ...{ index, trust, bids: [level(0.4, 10)], asks: [level(ask, 20), level(0.9, 5)] },
});
const nothing = (index: number) => ({ index, trust: 'none' as const, bids: null, asks: null });

const policy = (name: 'smallest' | 'up_to' | 'best', size: number, bound: 'minimum' | 'cash', allowed = true) => ({
  ...{ policy: name, order_size: size, bounded_by: bound, allowed, total_cost_usd: size * 0.97 },
  ...{ expected_profit_usd: size * 0.03, worst_case_loss_usd: size / 2 },
});
const POLICIES = [policy('smallest', 5, 'minimum'), policy('up_to', 40, 'cash'), policy('best', 40, 'cash', false)];

const SET: Wire<typeof readOpportunityMoments> = {
  legs,
  unknown: [{ from: after(-60_000), until: after(-30_000), reason: 'not running' }],
  next: null,
  moments: [
    {
      ...{ at: after(-60_000), legs: [nothing(0), nothing(1)], current_price: null, fees_per_set: null },
      ...{
        profit_percentage: null,
        reason: 'Leg 1 (Yes, "Will Harbour win?"): there is no order book',
        refusals: null,
        policies: null,
      },
    },
    {
      ...{ at: after(-30_000), legs: [leg(0, 0.47), leg(1, 0.5)], current_price: 0.97, fees_per_set: 0.001 },
      ...{ profit_percentage: 2.9866, reason: null, refusals: [], policies: POLICIES },
    },
    {
      ...{ at: after(250), legs: [leg(1, 0.55, 'stale')], current_price: 1.02, fees_per_set: 0.001 },
      ...{ profit_percentage: -2.0568, reason: null, policies: [] },
      refusals: [
        { gate: 'fresh-books', message: 'leg 2: book is 3 s old and its feed is stale' },
        { gate: 'profit', message: 'the profit is -2.06%, 0.80% is needed' },
      ],
    },
  ],
};

test('a batch shows the books around it: they are stepped through by keys, and its events are marks', async () => {
  await openBatch();
  await expect.element(slider()).toBeVisible();
  const decided = KEPT.events[0]?.at;
  expect(shownMs()).toBe(ms(decided));
  expect(page.getByRole('table', { name: /^Book of Leg/ }).length).toBe(KEPT.legs.length);
  await expect.element(events().getByRole('button', { name: 'Decided' })).toHaveAttribute('aria-current', 'step');

  (slider().element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  expect(shownMs()).toBe(ms(KEPT.from));
  const [first, second] = KEPT.moments;
  await userEvent.keyboard('{ArrowRight}');
  expect(shownMs()).toBe(ms(second?.at));
  const [changed] = second?.legs ?? [];
  const before = first?.legs.find(({ index }) => index === changed?.index);
  const [moved] = [...(changed?.asks ?? []), ...(changed?.bids ?? [])].filter(
    ({ price, size }) =>
      ![...(before?.asks ?? []), ...(before?.bids ?? [])].some((old) => old.price === price && old.size === size),
  );
  const marked = [...document.querySelectorAll('[data-changed="true"]')];
  expect(marked.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(`${moved?.price.toFixed(4)} changed${moved?.size.toFixed(2)}`),
  ]);
  await userEvent.keyboard('{ArrowLeft}');
  expect(shownMs()).toBe(ms(KEPT.from));
  await userEvent.keyboard('{PageUp}');
  expect(shownMs()).toBe(ms(decided));
  await userEvent.keyboard('{End}');
  expect(shownMs()).toBe(ms(KEPT.until));

  const filled = KEPT.events.find(({ event }) => event === 'filled');
  await events().getByRole('button', { name: 'Filled' }).first().click();
  expect(shownMs()).toBe(ms(filled?.at));
  await expect.element(slider()).toHaveAttribute('aria-valuetext', expect.stringMatching(/\.\d{3}/));
  await expectAccessible('the books of a batch');
});

/** Where the slider is once React has drawn what moved it; waiting as `expect.poll` does would have time pass. */
async function restingMs(): Promise<number> {
  for (let before = Number.NaN; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = shownMs();
    if (now === before) return now;
    before = now;
  }
}

/** How far the slider goes while so much time passes. */
async function goneIn(timeMs: number): Promise<number> {
  const from = await restingMs();
  await vi.advanceTimersByTimeAsync(timeMs);
  return (await restingMs()) - from;
}

/** At once: what waits for a button has time pass. */
const press = (name: string) => (button(name).element() as HTMLElement).click();

test('the books of a batch go by as they did, or ten times as fast', async () => {
  await openBatch();
  await expect.element(slider()).toBeVisible();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  (slider().element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  press('Play');
  expect(await goneIn(1000)).toBe(1000);
  (page.getByRole('radio', { name: '10x' }).element() as HTMLElement).click();
  expect(await goneIn(200)).toBe(2000);
  press('Pause');
  expect(await goneIn(1000)).toBe(0);
  press('Play');
  await goneIn(60_000);
  expect(shownMs()).toBe(ms(KEPT.until));
  await expect.element(button('Play')).toBeVisible();
});

test('a batch says why there are no books of it, and shows them once they are kept', async () => {
  const none = { ...KEPT, from: null, until: null, events: [], moments: [] };
  server.answer(readBatchMoments, { ...none, state: 'missing' });
  await openBatch();
  await expect.element(panel('Books Then')).toMatchTextContent(/No books were kept of this batch/);
  await expectAccessible('a batch without books');

  server.answer(readBatchMoments, { ...none, state: 'waiting' });
  await openBatch();
  await expect.element(panel('Books Then')).toMatchTextContent(/kept a few seconds after the batch’s last answer/);
  server.answer(readBatchMoments, KEPT);
  await expect.element(slider(), { timeout: 6000 }).toBeVisible();
});

test('an opportunity is looked at as it was: by its address, with profit, refusing gates and what is not known', async () => {
  server.answer(readOpportunityMoments, SET);
  const screen = await open(`/arbitrage/${OPPORTUNITY}?at=${AT}`);
  const past = panel('Look Back');
  await expect.element(slider()).toBeVisible();
  expect(server.askedFor(readOpportunityMoments)[0]?.query).toEqual({ from: after(-60_000), until: after(60_000) });
  expect(shownMs()).toBe(ms(AT));
  await expect.poll(() => past.element().getBoundingClientRect().top).toBeLessThan(400);
  expect(figureIn(past, 'Profit %')).toBe('↑+2.99%');
  expect(figureIn(past, 'Price of a Set')).toBe('0.9700');
  await expect.element(past.getByText('Nothing would have refused an automatic order.')).toBeVisible();
  await expect.element(past.getByText(/^Not known from .* to .*: not running$/)).toBeVisible();
  await expectCells('Size policies then', 'Profit', '$0.15', '$1.20', '–');
  await expectCells(
    'Size policies then',
    'Size',
    '5.00 sh, bounded by the smallest order that a market takes',
    '40.00 sh, bounded by the free cash',
    'Nothing: 40.00 sh are more than the free cash allowed',
  );
  await expectAccessible('an opportunity at a moment of the past');

  await button('Next').click();
  expect(shownMs()).toBe(ms(AT) + 250);
  expect(figureIn(past, 'Profit %')).toBe('↓-2.06%');
  const refusals = past.getByRole('list', { name: 'Refusals' }).getByRole('listitem');
  await expect.element(refusals.nth(1)).toHaveTextContent('the profit is -2.06%, 0.80% is needed');
  await expect.element(page.getByRole('article', { name: 'Leg 2, Yes, then' })).toMatchTextContent(/Stale/);
  expect(book(2).element().querySelectorAll('[data-changed="true"]')).toHaveLength(1);

  (slider().element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  await expectTimes('Nothing is known of this book then.', 2);
  await expect.element(past.getByText('What would have refused an order then is not known.')).toBeVisible();
  await expect.element(past.getByText(/^No price: Leg 1/)).toBeVisible();

  await button('Earlier').click();
  await expect.poll(screen.address).toContain(encodeURIComponent(after(-120_000)));
  screen.back();
  await expect.poll(screen.address).toContain(encodeURIComponent(AT));
  await button('Close').click();
  await expect.poll(screen.address).toBe(`/arbitrage/${OPPORTUNITY}`);
  await expect
    .element(past.getByText('Books of the past, as far as they are recorded.', { exact: false }))
    .toBeVisible();
});

test('a moment is typed; one that has not come is refused, and one without books says so', async () => {
  server.answer(readOpportunityMoments, { ...SET, moments: SET.moments.slice(0, 1) });
  const screen = await open(`/arbitrage/${OPPORTUNITY}`);
  const past = panel('Look Back');
  await button('Pick a Moment').click();
  const field = past.getByLabelText('Moment');
  await expect.element(field).toBeVisible();
  await field.fill('2199-01-01T00:00:00.000');
  await past.getByRole('button', { name: 'Show' }).click();
  await expect.element(past.getByText('This moment has not come yet')).toBeVisible();
  expect(server.askedFor(readOpportunityMoments)).toEqual([]);
  const offsetMs = new Date(AT).getTimezoneOffset() * 60_000;
  await field.fill(new Date(ms(AT) - offsetMs).toISOString().slice(0, -1));
  await past.getByRole('button', { name: 'Show' }).click();
  await expect.poll(screen.address).toContain(encodeURIComponent(AT));
  await expect.element(past.getByText('No book was recorded around this moment.')).toBeVisible();
  await expectAccessible('a moment of which nothing was recorded');
});

test('a click on the chart of prices picks a moment', async () => {
  const now = new Date().toISOString();
  const point = (minutesAgo: number, current_price: number) => ({
    ...{ at: new Date(Date.now() - minutesAgo * 60_000).toISOString(), current_price, target_price: 1 },
    ...{ profit_percentage: 3, triggered: false },
  });
  const history = [point(50, 0.97), point(30, 0.92), point(10, 0.95)];
  server.answer(readOpportunity, { ...recorded(readOpportunity), created_at: now, updated_at: now, last_checked: now });
  server.answer(readHistory, { data: history });
  server.answer(readPricesBefore, { since: now, data: [] });
  server.answer(readOpportunityMoments, SET);
  const screen = await open(`/arbitrage/${OPPORTUNITY}`);
  const chart = page.getByRole('img', { name: 'Current price against target price' });
  await expect.poll(() => chart.query()?.querySelector('.u-over')).not.toBeNull();
  await chart.click();
  await expect.poll(screen.address).toContain(`at=${encodeURIComponent(history[1]?.at ?? '')}`);
  await expect.element(slider()).toBeVisible();
});

test('a relation is looked at as it was, with its distance', async () => {
  const said = { profit_usd: null, size: null };
  server.answer(readRelationMoments, {
    ...{ legs, unknown: [], next: null },
    moments: [
      { at: after(-60_000), legs: [leg(0, 0.47), leg(1, 0.55)], distance_usd: 0.02, ...said },
      { at: after(10), legs: [leg(1, 0.5)], distance_usd: -0.03, profit_usd: 0.6, size: 20 },
    ],
  });
  await open(`/discover/${RELATION}?at=${AT}`);
  const past = panel('Look Back');
  await expect.element(slider()).toBeVisible();
  expect(figureIn(past, 'Distance')).toMatch(/away$/);
  await button('Next').click();
  expect(figureIn(past, 'Distance')).toMatch(/^pays /);
  expect(figureIn(past, 'At the Size of')).toBe('20.00 sh');
  await expectAccessible('a relation at a moment of the past');
});
