/** What is booked of a submission is what its transaction has moved, whatever was asked for. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { boughtBatch, onChain } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';
import { recordRedeem } from './record-redeem.ts';
import { decideRedeem } from './redeem.ts';

const kept = keptDesk();

/** A market that stands alone, with a batch of ten shares of each outcome, that the first one has won. */
async function won(): Promise<{ market: Market; batchId: string }> {
  const bought = await kept.boughtPair();
  await kept.site.control.resolve(bought.market.id, bought.market.outcomes[0]?.outcome ?? '');
  return bought;
}

/** Redeems all that has won and is free. @returns the id of the request */
async function redeemAll(): Promise<string> {
  kept.site.venue.forget();
  const { catalogue, trading } = kept.site.venue;
  const { chain, controls } = kept.desk.parts;
  if (trading === null) throw new Error('the venue trades');
  const decision = await decideRedeem(kept.test.runtime.db, { catalogue, trading, chain, controls }, null, 'display');
  const requested = { requestId: kept.test.runtime.random.uuid(), automatic: false, requestedBy: 'op@example.com' };
  expect(await recordRedeem(kept.desk.parts, decision, chain, requested, async () => {})).toBeNull();
  await kept.desk.untilIdle();
  return requested.requestId;
}

async function reported(): Promise<string[]> {
  const rows = await kept.test.runtime.db.select().from(notifications).orderBy(asc(notifications.seq));
  return rows
    .filter(({ notificationType }) => notificationType.startsWith('submission_'))
    .map(({ message }) => message);
}

/** The cash that came by calls of contracts, by the ledger. */
async function ledgerCash(): Promise<number> {
  const rows = await kept.test.runtime.db.select().from(ledgerEntries);
  const calls = rows.filter(({ kind }) => ['redeem', 'merge', 'convert', 'split'].includes(kind));
  const lines = calls
    .flatMap((entry) => entry.lines)
    .filter(({ account, unit }) => account === 'cash' && unit === 'usd');
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

const NOTHING = 'The chain carried it out, and it moved nothing.';

describe('a submission that the chain calls a success', () => {
  it('has failed where it moved nothing: no dollar is booked, a notification is recorded at once, and it is redeemed again', async () => {
    const { batchId } = await won();
    const before = await onChain(kept.site, []);
    await kept.site.control.fault('chain_no_effect');
    const requestId = await redeemAll();
    expect(await kept.statusOf(requestId)).toEqual([['redeem', 'failed', NOTHING]]);
    expect(await ledgerCash()).toBe(0);
    expect(await reported()).toEqual([
      `The redemption of $10.00, asked for by op@example.com, has failed: nothing of it was carried out. ${NOTHING}`,
    ]);
    const { sales, orders } = await kept.desk.stateOf(batchId);
    expect(sales).toMatchObject([{ status: 'failed', error: NOTHING }]);
    expect(orders[0]).toMatchObject({ soldSize: 0 });
    expect(await kept.statusOf(await redeemAll())).toEqual([['redeem', 'confirmed', null]]);
    expect((await onChain(kept.site, [])).cash - before.cash).toBe(10_000_000);
    expect([await ledgerCash(), (await reported()).length]).toEqual([10_000_000, 1]);
  });

  it('is booked but for the call that moved nothing, which is notified and done again', async () => {
    const one = await won();
    await kept.test.time.advance(1000);
    const other = await won();
    await kept.site.control.fault('chain_no_effect', { call: 1 });
    const requestId = await redeemAll();
    const error = `1 of its 2 calls are not booked, on ${other.market.question}: ${NOTHING}`;
    expect(await kept.statusOf(requestId)).toEqual([['redeem', 'confirmed', error]]);
    expect(await reported()).toEqual([
      `The redemption of $20.00, asked for by op@example.com, is booked by what it moved, which is not what was planned. ${error}`,
    ]);
    const salesOf = async (batchId: string) =>
      (await kept.desk.stateOf(batchId)).sales.map(({ status, filledCost }) => [status, filledCost]);
    expect(await salesOf(one.batchId)).toEqual([['filled', 10_000_000]]);
    expect(await salesOf(other.batchId)).toEqual([['failed', 0]]);
    expect(await ledgerCash()).toBe(10_000_000);
    await redeemAll();
    expect([await ledgerCash(), await salesOf(other.batchId)]).toEqual([
      20_000_000,
      [
        ['failed', 0],
        ['filled', 10_000_000],
      ],
    ]);
  });

  it('is booked at the dollars that came, where these are others than planned', async () => {
    const { batchId } = await won();
    await kept.site.control.fault('chain_pays_less', { fraction: 0.75 });
    const requestId = await redeemAll();
    const error = 'It brought $7.5 where $10 was expected.';
    expect(await kept.statusOf(requestId)).toEqual([['redeem', 'confirmed', error]]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'filled', filledCost: 7_500_000 }]);
    expect([await ledgerCash(), (await reported()).length]).toEqual([7_500_000, 1]);
  });

  it('proves no dollars where shares are gone for none: nothing of it is sold', async () => {
    const { batchId, market } = await won();
    await kept.site.control.fault('chain_pays_less', { fraction: 0 });
    const requestId = await redeemAll();
    const [token] = market.outcomes.map(({ tokenId }) => tokenId);
    expect(await kept.statusOf(requestId)).toMatchObject([
      [
        'redeem',
        'failed',
        expect.stringContaining(`moved something else than was asked for: $0 came, 10 shares of token ${token} left`),
      ],
    ]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ status: 'failed', filledCost: 0 }]);
    expect([await ledgerCash(), (await reported()).length]).toEqual([0, 1]);
  });

  it('books what else of its market the contract redeemed beside the batch', async () => {
    const { market, batchId } = await kept.boughtPair();
    await kept.site.control.split(market.id, '5');
    await kept.site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');
    const before = await onChain(kept.site, []);
    const requestId = await redeemAll();
    expect(await kept.statusOf(requestId)).toEqual([['redeem', 'confirmed', null]]);
    expect((await kept.desk.stateOf(batchId)).sales).toMatchObject([{ filledCost: 10_000_000 }]);
    expect((await onChain(kept.site, [])).cash - before.cash).toBe(15_000_000);
    expect(await ledgerCash()).toBe(15_000_000);
  });

  it('gives the shares of a merge back that moved nothing', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('chain_no_effect');
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', NOTHING]]);
    const again = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(again.requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect([await ledgerCash(), (await reported()).length]).toEqual([10_000_000, 1]);
  });

  it('books of a conversion whose fee has risen since it was planned what came, in dollars and in shares', async () => {
    const isFirst = ({ id, event }: Market) => !/^0x0[1-4].{36}0{16}/.test(id) && event?.marketIds.length === 5;
    const members = kept.site.markets.filter(
      (market) => isFirst(market) && market.event?.id === kept.site.markets.find(isFirst)?.event?.id,
    );
    const chosen = members.slice(0, 2);
    for (const { id } of chosen) await kept.site.control.split(id, '10');
    const bought = chosen.map((market) => ({ market, outcome: 1 as const, shares: '10', cost: '4' }));
    const batchId = await boughtBatch(kept.test, bought);
    await kept.loop.stop();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.site.control.setFeeBips(members[0]?.id ?? '', 50);
    kept.loop = kept.desk.keep();
    await kept.desk.untilIdle();
    await kept.site.control.setFeeBips(members[0]?.id ?? '', 0);
    expect(await kept.statusOf(requestId)).toEqual([
      ['cash_now', 'confirmed', 'It brought $9.95 where $10 was expected.'],
    ]);
    const { sales, received } = await kept.desk.stateOf(batchId);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(9_950_000);
    expect(received.map(({ filledSize }) => filledSize)).toEqual([9_950_000, 9_950_000, 9_950_000]);
    expect([await ledgerCash(), (await reported()).length]).toEqual([9_950_000, 1]);
  });
});
