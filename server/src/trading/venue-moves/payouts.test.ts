/** A venue without contracts pays for what has ended, nets both outcomes, and changes its mind. */

import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { chainSubmissions } from '../chain-steps/table.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { readBatch } from '../orders/batch-store.ts';
import { batches } from '../orders/table.ts';
import { limitUse } from '../under-way/limit-use.ts';
import { reserveAnew } from '../under-way/reserve.ts';
import { NO, openDesk, YES } from './payouts.fixture.ts';
import { venuePayouts } from './table.ts';

it('books what was paid for shares of a market that has ended, once, also by a process that starts anew; the batch has its profit', async () => {
  await using desk = await openDesk();
  const { venue, test } = desk;
  const market = venue.market('GUST-T30');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  venue.pay(market, '1');
  for (let round = 0; round < 3; round += 1) {
    const loop = desk.startLoop();
    await loop();
    await loop();
  }
  const ten = sharesFromText('10');
  expect(await desk.sales(batchId)).toEqual([['filled', ten, usdFromText('10')]]);
  expect((await desk.entries()).filter((kind) => kind === 'redeem')).toHaveLength(1);
  expect(await desk.compare()).toEqual([]);
  const [submission] = await test.runtime.db.select().from(chainSubmissions);
  expect(submission).toMatchObject({
    byVenue: true,
    purpose: 'redeem',
    status: 'confirmed',
    received: usdFromText('10'),
  });
  expect((await readBatch(test.runtime.db, batchId))?.actualProfit).toBe(usdFromText('6'));
});

it('F15: a fraction of 0.37 pays .37 and .63', async () => {
  await using desk = await openDesk();
  const [one, other] = [desk.venue.market('A'), desk.venue.market('B')];
  const yes = await desk.bought(one, YES, '4');
  const no = await desk.bought(other, NO, '4');
  desk.venue.hold(one, 'yes', 10);
  desk.venue.hold(other, 'no', 10);
  await desk.begin();
  for (const market of [one, other]) desk.venue.pay(market, '0.37');
  await desk.startLoop()();
  expect([...(await desk.sales(yes)), ...(await desk.sales(no))].map(([, , dollars]) => dollars)).toEqual([
    usdFromText('3.7'),
    usdFromText('6.3'),
  ]);
  expect(await desk.compare()).toEqual([]);
});

it('F16: of what is determined, disputed or amended nothing is booked before it is final, and a change has its reason', async () => {
  await using desk = await openDesk();
  const { venue, test } = desk;
  const market = venue.market('A');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  const loop = desk.startLoop();
  const profit = async () => (await readBatch(test.runtime.db, batchId))?.actualProfit;
  const before = await profit();
  for (const yesPays of ['1', '0.37', '1', '0']) {
    venue.announce(market, yesPays);
    await test.time.advance(11_000);
    await loop();
    expect([await desk.sales(batchId), await profit()]).toEqual([[], before]);
  }
  const [row] = await test.runtime.db.select().from(venuePayouts);
  expect(row).toMatchObject({ isProvisional: true, paidAt: null, bookedAt: null });
  expect(row?.changes.map(({ reason }) => reason)).toEqual(await desk.told());
  expect((await desk.told())[0]).toBe(
    'The venue has changed the result of "Will kalshi:A happen?": a share that was to pay $1.0000 pays $0.3700. It may be changed again until it is final.',
  );
  venue.pay(market, '0.37');
  await test.time.advance(11_000);
  await loop();
  expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('3.7')]]);
  expect(await desk.compare()).toEqual([]);
});

it('a payout that is changed after it was final is reversed to what came, with its reason', async () => {
  await using desk = await openDesk();
  const { venue, test } = desk;
  const market = venue.market('A');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  venue.pay(market, '1');
  const loop = desk.startLoop();
  await loop();
  const paid = venue.state.payouts.get(market.id);
  if (paid === undefined) return expect.unreachable();
  const outcomes = paid.outcomes.map((outcome) => ({ ...outcome, pays: priceFromText('0.25') }));
  venue.state.payouts.set(market.id, { ...paid, outcomes, dollars: usdFromText('2.5') });
  venue.state.cash = usdFromText('102.5');
  for (let round = 0; round < 3; round += 1) {
    await test.time.advance(11_000);
    await loop();
  }
  expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('2.5')]]);
  expect((await desk.entries()).filter((kind) => kind === 'redeem')).toHaveLength(2);
  expect(await desk.compare()).toEqual([]);
  const [submission] = await test.runtime.db.select().from(chainSubmissions);
  expect([submission?.error]).toEqual(await desk.told());
});

it('what is held of both outcomes is netted: a dollar a pair, once the venue holds the difference alone', async () => {
  await using desk = await openDesk();
  const { venue } = desk;
  const market = venue.market('A');
  const first = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  const second = await desk.bought(market, NO, '2', '4');
  venue.state.cash = usdFromText('98');
  const loop = desk.startLoop();
  await loop();
  // The venue may be behind its own trades.
  expect(await desk.sales(second)).toEqual([]);
  venue.hold(market, 'yes', 6);
  venue.state.cash = usdFromText('102');
  expect(await desk.compare()).toEqual([]);
  await loop();
  await loop();
  const dollars = [...(await desk.sales(first)), ...(await desk.sales(second))].map(([, , usd]) => Number(usd));
  expect(dollars.reduce((sum, usd) => sum + usd, 0)).toBe(usdFromText('4'));
  expect((await desk.sales(second))[0]?.[1]).toBe(sharesFromText('4'));
  expect(await desk.compare()).toEqual([]);
  venue.pay(market, '1');
  await desk.test.time.advance(11_000);
  await loop();
  expect(await desk.compare()).toEqual([]);
  expect(await desk.sales(first)).toHaveLength(2);
});

it('shares beside those of batches are paid too, and none of before the ledger began', async () => {
  await using desk = await openDesk();
  const { venue } = desk;
  const [held, before] = [venue.market('A'), venue.market('B')];
  venue.hold(before, 'yes', 7);
  venue.pay(before, '1');
  const batchId = await desk.bought(held, YES, '4');
  venue.hold(held, 'yes', 13);
  await desk.begin();
  venue.pay(held, '1');
  await desk.startLoop()();
  expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('10')]]);
  expect(await desk.compare()).toEqual([]);
});

it('shares that lost leave the ledger, open exposure and the risk of their batch with the payout, which pays nothing', async () => {
  await using desk = await openDesk();
  const { db, clock } = desk.test.runtime;
  const market = desk.venue.market('A');
  const batchId = await desk.bought(market, YES, '4');
  await reserveAnew(db, sql`true`);
  const exposed = async () => (await limitUse(db, clock.now())).openExposure;
  expect(await exposed()).toBe(usdFromText('4'));
  await db.update(batches).set({ resultsDue: false });
  desk.venue.hold(market, 'yes', 10);
  await desk.begin();
  desk.venue.pay(market, '0');
  const loop = desk.startLoop();
  for (let round = 0; round < 2; round += 1) {
    await loop();
    expect(await desk.compare()).toEqual([]);
  }
  expect(await desk.sales(batchId)).toEqual([]);
  expect((await desk.entries()).filter((kind) => kind === 'lost')).toHaveLength(1);
  expect(await exposed()).toBe(0);
  const lost = { resultsDue: true, unhedged: null, actualProfit: usdFromText('-4') };
  expect(await readBatch(db, batchId)).toMatchObject(lost);
});

it('F16: a final payout of nothing that is raised later is taken back and booked once, with its reason', async () => {
  await using desk = await openDesk();
  const { venue, test } = desk;
  const market = venue.market('A');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 13);
  await desk.begin();
  venue.pay(market, '0');
  const loop = desk.startLoop();
  await loop();
  const paid = venue.state.payouts.get(market.id);
  if (paid === undefined) return expect.unreachable();
  const outcomes = paid.outcomes.map((outcome) => ({ ...outcome, pays: priceFromText('0.25') }));
  venue.state.payouts.set(market.id, { ...paid, outcomes, dollars: usdFromText('3.25') });
  venue.state.cash = usdFromText('103.25');
  for (let round = 0; round < 3; round += 1) {
    await test.time.advance(11_000);
    await desk.startLoop()();
  }
  expect(await desk.compare()).toEqual([]);
  expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('2.5')]]);
  const corrections = await test.runtime.db.select().from(ledgerEntries).where(eq(ledgerEntries.kind, 'correction'));
  expect(corrections.map(({ reason }) => reason)).toEqual(await desk.told());
  expect((await desk.told())[0]).toContain('a share that was to pay $0.0000 pays $0.2500');
  expect((await readBatch(test.runtime.db, batchId))?.actualProfit).toBe(-usdFromText('1.5'));
});

it.each(['chain_recorded', 'chain_booked'] as const)(
  'a payout whose process dies at %s is booked once by the next',
  async (point) => {
    await using desk = await openDesk();
    const { venue, test } = desk;
    const market = venue.market('A');
    const batchId = await desk.bought(market, YES, '4');
    venue.hold(market, 'yes', 10);
    await desk.begin();
    venue.pay(market, '1');
    const pass = (at: string) => {
      if (at === point) throw new Error('killed');
    };
    await expect(desk.startLoop({ ...test.runtime, pass })()).rejects.toThrow();
    // The lease of the process that died runs out.
    for (let round = 0; round < 3; round += 1) {
      await test.time.advance(20_000);
      await desk.startLoop()();
    }
    expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('10')]]);
    expect(await desk.compare()).toEqual([]);
  },
);

it('waits for trades that are read later where it is paid for more shares than are known, and books all of it then', async () => {
  await using desk = await openDesk();
  const { venue } = desk;
  const market = venue.market('GUST-T30');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  // Seven more were bought just before it ended.
  venue.hold(market, 'yes', 17);
  venue.pay(market, '1');
  const loop = desk.startLoop();
  await loop();
  expect(await desk.sales(batchId)).toEqual([]);
  const later = await desk.bought(market, YES, '3', '7');
  await loop();
  const sales = [...(await desk.sales(batchId)), ...(await desk.sales(later))];
  expect(sales).toEqual([
    ['filled', sharesFromText('10'), usdFromText('10')],
    ['filled', sharesFromText('7'), usdFromText('7')],
  ]);
});

it('waits ten minutes at most for the trades of shares that it is paid for', async () => {
  await using desk = await openDesk();
  const { venue, test } = desk;
  const market = venue.market('GUST-T30');
  const batchId = await desk.bought(market, YES, '4');
  venue.hold(market, 'yes', 10);
  await desk.begin();
  venue.hold(market, 'yes', 17);
  venue.pay(market, '1');
  const loop = desk.startLoop();
  await loop();
  await test.time.advance(599_000);
  await loop();
  expect(await desk.sales(batchId)).toEqual([]);
  await test.time.advance(1_000);
  await loop();
  expect(await desk.sales(batchId)).toEqual([['filled', sharesFromText('10'), usdFromText('10')]]);
});
