/**
 * From what the desk finds to dollars again: a set is bought, converted into dollars on the chain as soon as its trades are settled, and what is
 * left of it redeemed once its market has resolved; the cash is back to the last millionth.
 */
import { cashNowOfBatch } from '@dutchbook/contract/exits.ts';
import { listMarkets, type MarketReply } from '@dutchbook/contract/markets.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { listRelations, readRelation } from '@dutchbook/contract/relations.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect } from '@playwright/test';
import { watchedTest as test } from './browser.fixture.ts';
import { cell, figure, rowsOf } from './screen.ts';
import { signIn } from './sign-in.ts';
import { type StartedProduct, startByReadme } from './started-product.ts';

const EVENT = 'Northern Sprint champion';
/** No on the first four costs $2.70 and pays $3 at least. */
const BIDS = ['0.45', '0.35', '0.30', '0.20'];
const SETS = 10;
/** The chain of the simulated exchange confirms within this. */
const CONFIRMED_WITHIN = { timeout: 60_000 };

let product: StartedProduct;
test.beforeAll(async () => {
  product = await startByReadme();
});
test.afterAll(() => product.stop());

test('an operator converts a set into dollars on the chain, and redeems what is left of it', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page, product);
  await cheapNoes();
  const batchId = await boughtNoes();
  const before = await cash();

  await page.goto(`${product.url}/batches/${batchId}`);
  await page.getByRole('button', { name: 'Sell All Orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sell All Orders' });
  const ways = dialog.getByRole('group', { name: 'For the whole batch' });
  await expect(ways.getByRole('radio', { name: 'Cash Now' })).toBeChecked();
  await expect(dialog.getByText('Cash Now brings $30.00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cash Now', exact: true }).click();
  await expect(page.getByText('Confirmed').first()).toBeVisible(CONFIRMED_WITHIN);
  await page.keyboard.press('Escape');
  await expect(cell(rowsOf(page, 'Orders'), 'Side')).toHaveText(
    [/Buy/, /Buy/, /Buy/, /Buy/, /Cash Now/, /Cash Now/, /Cash Now/, /Cash Now/, /Received/],
    CONFIRMED_WITHIN,
  );
  expect(await cash()).toBe(before + 30_000_000);

  await product.exchange.resolve(await lastMember(), 'Yes');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portfolio' }).click();
  await expect(figure(page, 'Cash', 'Waiting for Redemption')).toContainText('$10.00', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Redeem All' }).click();
  await page.getByRole('dialog', { name: 'Redeem All' }).getByRole('button', { name: 'Redeem', exact: true }).click();
  await expect.poll(cash, CONFIRMED_WITHIN).toBe(before + 40_000_000);
  await expect(figure(page, 'Cash', 'Waiting for Redemption')).toContainText('$0.00', CONFIRMED_WITHIN);

  await page.goto(`${product.url}/submissions`);
  const submissions = rowsOf(page, 'Submissions');
  await expect(cell(submissions, 'What')).toContainText(['Redeem', 'Cash Now']);
  await expect(cell(submissions, 'Status')).toHaveText(['Confirmed', 'Confirmed']);
  await expect(cell(submissions, 'Received')).toHaveText(['$10.00', '$30.00']);
});

/** One more member than these has the event: nothing can be bought of it. */
async function tradedMembers(): Promise<MarketReply[]> {
  const { reply } = await product.caller.call(listMarkets, { query: { limit: 1000 } });
  return reply.data.filter(({ event }) => event?.title === EVENT);
}

async function lastMember(): Promise<string> {
  const traded = new Set((await tradedMembers()).map(({ id }) => id));
  const { reply } = await product.caller.call(listRelations, { query: { skip: 0, limit: 1000, kind: 'exactly_one' } });
  const relation = reply.data.find(({ event_title: title }) => title === EVENT);
  const params = { relation_id: relation?.id ?? '' };
  const { member_list: members } = (await product.caller.call(readRelation, { params })).reply;
  return members.find(({ market_id: id }) => !traded.has(id))?.market_id ?? '';
}

async function cheapNoes(): Promise<void> {
  const { exchange } = product;
  await exchange.pause();
  const members = await tradedMembers();
  for (const [place, bid] of BIDS.entries())
    await exchange.setBook(
      members[place]?.outcomes[0]?.token_id ?? '',
      [{ price: bid, size: '500' }],
      [{ price: (Number(bid) + 0.02).toFixed(2), size: '500' }],
    );
}

/** Buys what discovery has found of it, and waits until it is settled and may be converted. */
async function boughtNoes(): Promise<string> {
  const { caller } = product;
  const find = async () => {
    const { reply } = await caller.call(listOpportunities, { query: { skip: 0, limit: 100 } });
    const found = reply.data.find(({ active, source_details: details }) => active && details?.includes(`${EVENT}: `));
    // The basket that was found by the earlier quotes gives way to this one.
    const markets = found?.market_combinations.flatMap((leg) => leg.markets) ?? [];
    return markets.length === BIDS.length ? found?.id : undefined;
  };
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  const params = { opportunity_id: (await find()) ?? '' };
  const { reply: batch, detail } = await caller.call(placeOrder, {
    params,
    query: { order_size: sharesFromNumber(SETS), way_in: 'buy' },
  });
  expect(detail).toBe('');
  const converted = async () => {
    const asked = { params: { batch_id: batch.id }, query: { simulate: true }, body: {} };
    const { reply } = await caller.call(cashNowOfBatch, asked);
    return reply.simulation ? reply.routes?.cash_now.net_usd : null;
  };
  await expect.poll(converted, { timeout: 60_000 }).toBe(30_000_000);
  return batch.id;
}

/** At the exchange, in millionths. */
async function cash(): Promise<number> {
  const { account } = await product.exchange.state();
  return Math.round(Number(account.usd) * 1e6);
}
