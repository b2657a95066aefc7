/** What a batch shows of shares that have resolved, or that have left the account by no order of ours. */
import { eventOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { type VenuePosition, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { ended, pass, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { readBatch } from '../orders/batch-store.ts';
import { batchOrders } from '../orders/table.ts';
import { readHeldTokens } from '../under-way/held-tokens.ts';
import { startKeepingHoldings } from './keep-holdings.ts';

/** A batch of ten sets at 80 cents that is bought and settled, at a venue and a chain that have what the test says. */
async function openHeld(shares: Record<string, string>) {
  const test = await openTestRuntime();
  const { venue, placing } = await start(test);
  const batchId = await recordedBatch(test, { MIN_PROFIT_RETRY_THRESHOLD: 1 });
  const sides = Object.keys(shares).length;
  let posted = 0;
  venue.onPost((order) => {
    posted += 1;
    return posted > sides ? { kind: 'rejected', reason: 'no match' } : venue.take(order);
  });
  placing.wake(batchId);
  await until(test, batchId, ({ fills }) => fills.length === sides);
  for (const orderHash of venue.orders.keys()) venue.settle(orderHash, 'confirmed');
  const state = {
    ...{ listed: shares, onChain: shares, values: {} as Record<string, Price | null>, answers: true },
    /** What the venue says of events, by market. */
    paidByEvent: {} as Record<string, Price>,
  };
  const read = (from: Record<string, string>) =>
    new Map(Object.entries(from).map(([tokenId, text]): [string, Shares] => [tokenId, sharesFromText(text)]));
  const positions = async () => {
    if (!state.answers) throw new VenueUnavailable('down');
    return [...read(state.listed)].map(
      ([tokenId, own]): VenuePosition => ({
        ...{ marketId: `market-${tokenId}`, outcome: 'Yes', tokenId, shares: own },
        ...{ redeemable: tokenId in state.values, resolvedValue: state.values[tokenId] ?? null },
      }),
    );
  };
  const stop = startKeepingHoldings({
    runtime: test.runtime,
    venue: {
      trading: { positions },
      chain: { balances: async () => ({ cash: null, shares: read(state.onChain) }) as never },
      catalogue: {
        marketsById: async (ids) =>
          new Map(ids.map((id) => [id, marketOf(id, { closed: true, event: eventOf({ id: 'event' }) })])),
        eventsById: async () =>
          [{ members: Object.entries(state.paidByEvent).map(toMember) }] as unknown as CatalogueEvent[],
      },
    },
    controls: { venue: 'polymarket' },
    quotes: { current: () => [] },
    stream: { publish: () => {}, watched: () => false },
    partitions: onlyEngine().partitions,
  });
  const shown = async () => {
    const row = await readBatch(test.runtime.db, batchId);
    if (row === null) throw new Error('the batch is gone');
    const unhedged = row.unhedged?.positions.map(({ shares: size, marketName }) => [marketName, size / 1_000_000]);
    return { profit: (row.actualProfit ?? 0) / 1_000_000, unhedged: unhedged ?? null };
  };
  return {
    test,
    state,
    shown,
    batchId,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await placing.stop();
      await test.close();
    },
  };
}

it('shows what is held of sets whose shares were sold elsewhere, tells of it, and what came back as it was', async () => {
  await using held = await openHeld({ '101': '10', '102': '10' });
  const { test, state, shown } = held;
  await until(test, held.batchId, ended);
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
  state.listed = { '101': '3', '102': '10' };
  // The venue alone may be behind.
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
  state.onChain = state.listed;
  await pass(test, 11_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 3 - 8, unhedged: [['Market 102', 7]] });
  expect((await readHeldTokens(test.runtime.db)).map(({ tokenId, shares }) => [tokenId, shares / 1_000_000])).toEqual([
    ['102', 10],
    ['101', 3],
  ]);
  const reported = await test.runtime.db
    .select()
    .from(notifications)
    .where(eq(notifications.notificationType, 'leg_risk'));
  expect(reported.map(({ message }) => message)).toEqual([
    'Mayor of Meridian · Yes on both: a batch is unhedged: it holds 7 Yes of "Market 102" without the rest of the set. At worst $2.80 is lost.',
  ]);
  state.answers = false;
  await pass(test, 30_000);
  expect(await shown()).toMatchObject({ profit: 3 - 8 });
  Object.assign(state, { answers: true, listed: { '101': '10', '102': '10' } });
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
});

const toMember = ([tokenId, resolvedValue]: [string, Price]) => ({
  ...{ marketId: `market-${tokenId}`, tokenIds: [tokenId, `${tokenId}-no`], resolvedValue },
});

it('counts what is known of a market that was voided before anything of it is redeemed', async () => {
  await using held = await openHeld({ '101': '10' });
  const { test, state, shown } = held;
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: -4, unhedged: [['Market 101', 10]] });
  state.values = { '101': priceFromText('0.5') };
  await pass(test, 15_000);
  expect(await shown()).toEqual({ profit: 1, unhedged: null });
});

it('asks the event what a share pays that is listed as resolved at another price', async () => {
  await using held = await openHeld({ '101': '10' });
  const { test, state, shown } = held;
  state.values = { '101': null };
  await pass(test, 30_000);
  expect(await shown()).toMatchObject({ profit: -4 });
  state.paidByEvent = { '101': priceFromText('0.5') };
  await pass(test, 15_000);
  expect(await shown()).toEqual({ profit: 1, unhedged: null });
});

it('counts nothing for shares of a resolved market that are gone, once no dollars are expected for them any more', async () => {
  await using held = await openHeld({ '101': '10', '102': '10' });
  const { test, state, shown } = held;
  await until(test, held.batchId, ended);
  state.values = { '101': priceFromText('1'), '102': priceFromText('0') };
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
  // The contract that took what has won takes what lost along.
  Object.assign(state, { listed: {}, onChain: {} });
  await pass(test, 300_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
  await pass(test, 180_000);
  expect(await shown()).toEqual({ profit: -8, unhedged: null });
  expect((await readHeldTokens(test.runtime.db)).map(({ tokenId }) => tokenId)).toEqual(['102']);
  Object.assign(state, { listed: { '101': '10' }, onChain: { '101': '10' } });
  await pass(test, 30_000);
  expect(await shown()).toEqual({ profit: 2, unhedged: null });
});

it('leaves what is held at another venue to the desk of that one', async () => {
  await using held = await openHeld({ '101': '10', '102': '10' });
  const { test, state } = held;
  const { db } = test.runtime;
  await until(test, held.batchId, ended);
  await pass(test, 30_000);
  await db.update(batchOrders).set({ tokenId: 'kalshi:101' }).where(eq(batchOrders.tokenId, '101'));
  state.listed = { '102': '3', 'kalshi:101': '3' };
  state.onChain = state.listed;
  await pass(test, 60_000);
  const { tokenId, goneSize } = batchOrders;
  const gone = await db.select({ tokenId, goneSize }).from(batchOrders).orderBy(tokenId);
  expect(gone).toEqual([
    { tokenId: '102', goneSize: sharesFromText('7') },
    { tokenId: 'kalshi:101', goneSize: sharesFromText('0') },
  ]);
});
