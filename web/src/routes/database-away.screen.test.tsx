/** What screens show while the database, or the server, does not answer. */
import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { listBatches, readBatch } from '@dutchbook/contract/batches.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { readRelation } from '@dutchbook/contract/relations.ts';
import { readOverview, readSystemStatus, type SystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { answerEveryScreen } from '../testing/every-screen.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import type { Wire } from '../testing/server.ts';

type VenueStatus = NonNullable<SystemStatus['venues']>[number];

const at = (venue: VenueStatus['venue'], free: number, armed = true) => ({
  ...{ venue, armed, armed_changed: null, arming_refusal: null, feed: 'live' as const },
  cash: { free_usd: free },
});

function statusOf(changes: Partial<Wire<typeof readSystemStatus>> = {}, armed = true): Wire<typeof readSystemStatus> {
  const venues = [at('polymarket', 10_012.33, armed), at('kalshi', 9849.64, armed)];
  return { ...recorded(readSystemStatus), armed, venues, ...changes } as Wire<typeof readSystemStatus>;
}

const AWAY = { database_away: true, database_silent_s: 12 };

/** As the server refuses a read without its database. */
const silent = () => Response.json({ detail: 'The database does not answer.', database_away: true }, { status: 503 });

const bar = () => page.getByRole('banner');
const said = () => page.getByText(/^The database has not answered for \d+ s\. No order is placed meanwhile\./);
const isGrey = () => document.documentElement.hasAttribute('data-old');

async function expectBalances() {
  await expect.element(bar().getByText('$10,012.33')).toBeVisible();
  await expect.element(bar().getByText('$9,849.64')).toBeVisible();
}

beforeEach(async () => {
  answerEveryScreen();
  server.answer(readSystemStatus, statusOf());
  await page.viewport(1440, 900);
});

test('a database that falls silent is said once with its seconds; kill switch, balances and figures stay, in grey', async () => {
  await open('/');
  await expectBalances();
  await expect.element(page.getByText(/^Hi, /)).toBeVisible();
  tell('system', 'system', 'system', statusOf(AWAY));
  await expect.element(said()).toMatchTextContent(/for 12 s\..* Figures in grey are as of .* at the latest\.$/);
  await expectBalances();
  await expect.element(bar().getByRole('button', { name: 'Disarm' })).toBeEnabled();
  expect(isGrey()).toBe(true);
  await expectAccessible('a page without its database');
  tell('system', 'system', 'system', statusOf({ ...AWAY, database_silent_s: 13 }));
  await expect.element(said()).toMatchTextContent(/for 13 s\./);
  tell('system', 'system', 'system', statusOf());
  await expect.element(said()).not.toBeInTheDocument();
  expect(isGrey()).toBe(false);
});

test('a page that is opened meanwhile says no failure, ticks nothing off, and reads what it lacks once the database answers', async () => {
  server.answer(readSystemStatus, statusOf(AWAY));
  for (const endpoint of [readOverview, listBatches]) server.answer(endpoint, silent);
  await open('/');
  await expect.element(said()).toBeVisible();
  await expect.poll(() => server.askedFor(readOverview).length, { timeout: 8000 }).toBeGreaterThan(4);
  expect(page.getByText('Something went wrong!').elements()).toEqual([]);
  expect(page.getByText(/^Error loading/).elements()).toEqual([]);
  const steps = page.getByRole('region', { name: 'First Steps' });
  expect(steps.getByText('1', { exact: true }).elements()).toEqual([]);
  await expect.element(bar().getByRole('button', { name: 'Disarm' })).toBeEnabled();
  server.answer(readOverview, recorded(readOverview));
  tell('system', 'system', 'system', statusOf());
  await expect.poll(() => page.getByRole('region', { name: 'Running batches' }).element().textContent).toMatch(/\d/);
});

test('disarming meanwhile says that it holds in this process and is not stored yet', async () => {
  server.answer(readSystemStatus, statusOf(AWAY));
  const message = 'Trading is halted in this process; not stored yet.';
  server.answer(disarmTrading, () => Response.json({ message, stored: false }, { status: 202 }));
  await open('/batches');
  await bar().getByRole('button', { name: 'Disarm' }).click();
  await expect.element(bar().getByText('Disarmed here, not stored yet')).toBeVisible();
  await expect.element(page.getByText(message)).toBeVisible();
  await expectBalances();
});

test('the kill switch is there for a superuser although the server does not say whether trading is armed', async () => {
  server.answer(readSystemStatus, () => new Promise<never>(() => {}));
  await open('/batches');
  await expect.element(bar().getByRole('button', { name: 'Disarm' })).toBeVisible();
});

test.for([
  ['disarmed', 'Trading disarmed', statusOf({}, false)],
  ['armed by hand', 'Armed by hand', { ...statusOf({}), automatic: 'off' as const }],
] as const)('balances stay in one line where trading is %s', async ([, said, status]) => {
  for (const width of [1280, 1440]) {
    await page.viewport(width, 900);
    server.answer(readSystemStatus, status);
    await open('/batches');
    await expect.element(bar().getByText(said)).toBeVisible();
    await expectBalances();
    await expect
      .poll(() => bar().element().getBoundingClientRect().height, { message: `at ${width}` })
      .toBeLessThan(60);
  }
});

test('an address without an id asks the stream for nothing, which would close it, and says that there is no such thing', async () => {
  for (const [endpoint, path, words] of [
    [readOpportunity, '/arbitrage/none', 'There is no such opportunity.'],
    [readBatch, '/batches/none', 'Batch not found'],
    [readBatch, '/batches/none/orders', 'Batch not found'],
    [readRelation, '/discover/none', 'Relation not found'],
  ] as const) {
    server.answer(endpoint, () => Response.json({ detail: 'Not found' }, { status: 404 }));
    await open(path);
    await expect.element(page.getByText(words, { exact: true })).toBeVisible();
    await expect.element(bar().getByText('Polymarket: Live', { exact: true })).toBeVisible();
  }
});
