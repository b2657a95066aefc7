import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onlyEngine } from '../engines/engines.ts';
import { releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { readHeldTokens } from '../orders/held-tokens.ts';
import { listOrders } from '../orders/store.ts';
import { attempts, fills } from '../orders/table.ts';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';
import { ensureControls, storeArmed } from '../trading-controls/store.ts';
import {
  boughtBatch,
  type ChainDesk,
  type ChainSite,
  nextBlocks,
  onChain,
  openChainDesk,
  openChainSite,
} from './chain.fixture.ts';
import { DISARMED, fail } from './send.ts';

let site: ChainSite;
let test: TestRuntime;
let desk: ChainDesk;
let keeper: { stop: () => Promise<void> };

beforeAll(async () => {
  site = await openChainSite();
});
afterAll(async () => {
  await site.venue.close();
  await site.exchange.stop();
});
beforeEach(async () => {
  test = await openTestRuntime({ VENUE: 'simulated' });
  desk = openChainDesk(test, site);
  keeper = desk.keep();
});
afterEach(async () => {
  await keeper.stop();
  await site.control.clearFaults();
  await test.close();
});

let used = 0;

/** Of which ten pairs are there, of a market that stands alone: another at each call. */
async function pair(): Promise<{ market: Market; tokens: string[] }> {
  const market = site.markets.filter(({ event }) => event?.negRisk !== true)[used++];
  if (market === undefined) throw new Error('the exchange has more markets');
  await site.control.split(market.id, '10');
  return { market, tokens: market.outcomes.map(({ tokenId }) => tokenId) };
}

/** A batch of such a pair. */
async function boughtPair(costs = ['4', '5']) {
  const { market, tokens } = await pair();
  const bought = costs.map((cost, outcome) => ({ market, outcome: outcome as 0 | 1, shares: '10', cost }));
  return { market, tokens, batchId: await boughtBatch(test, bought) };
}

/** The members of an event, as the contract counts them. */
async function membersOf(isMeant: (market: Market) => boolean): Promise<Market[]> {
  const event = site.markets.find(isMeant)?.event;
  const [facts] = await site.venue.catalogue.eventsById([event?.id ?? ''], 'asked');
  const ids = facts?.members.toSorted((a, b) => (a.memberIndex ?? 0) - (b.memberIndex ?? 0)) ?? [];
  return ids.flatMap(({ marketId }) => site.markets.find(({ id }) => id === marketId) ?? []);
}

const isMember = ({ id }: Market) => /^0x0[1-4].{36}0{16}.{8}00$/.test(id);

async function statusOf(requestId: string) {
  return (await desk.submissions(requestId)).map(({ row }) => [row.purpose, row.status, row.error]);
}

describe('the keeper of the chain', () => {
  it('turns a pair into its dollars, to the micro-dollar, and books them in proportion to what the shares cost', async () => {
    const { batchId, tokens } = await boughtPair(['3.333333', '6']);
    const before = await onChain(site, tokens);
    const spendable = (await site.venue.trading?.cashBalance())?.cash ?? 0;
    const { requestId, refusal } = await desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    expect((await desk.stateOf(batchId)).batch.saleUnderWay).toBe(true);
    await desk.settle();
    expect(await desk.submissions(requestId)).toMatchObject([
      {
        row: { status: 'confirmed', expected: 10_000_000, error: null, requestedBy: 'op@example.com' },
        steps: [{ kind: 'merge', shares: 10_000_000 }],
      },
    ]);
    const after = await onChain(site, tokens);
    expect([after.cash - before.cash, before.shares, after.shares]).toEqual([
      10_000_000,
      [10_000_000, 10_000_000],
      [0, 0],
    ]);
    const [{ row } = {}] = await desk.submissions(requestId);
    expect(row?.balancesAfter?.cash).toBe((row?.balancesBefore?.cash ?? 0) + 10_000_000);
    expect((await site.venue.trading?.cashBalance())?.cash).toBe(spendable + 10_000_000);
    const { batch, sales, orders } = await desk.stateOf(batchId);
    expect(sales).toMatchObject([
      { status: 'filled', filledSize: 10_000_000, filledCost: 3_571_428, fee: 0 },
      { status: 'filled', filledSize: 10_000_000, filledCost: 6_428_572, fee: 0 },
    ]);
    expect(orders).toMatchObject([{ soldSize: 10_000_000 }, { soldSize: 10_000_000 }]);
    expect(batch).toMatchObject({ actualProfit: 666_667, unhedged: null });
  });

  it('takes no more than the smaller side has, the oldest batch first, and leaves what is in sale', async () => {
    const { market, tokens } = await pair();
    const [yes, no] = [0, 1] as const;
    const older = await boughtBatch(test, [
      { market, outcome: yes, shares: '4', cost: '2' },
      { market, outcome: no, shares: '3', cost: '1' },
    ]);
    await test.time.advance(1000);
    const newer = await boughtBatch(test, [
      { market, outcome: yes, shares: '6', cost: '3' },
      { market, outcome: no, shares: '2', cost: '1' },
    ]);
    await desk.cashNow({ marketIds: [market.id] });
    expect((await readHeldTokens(test.runtime.db)).map(({ tokenId, inSale }) => [tokenId, inSale])).toEqual(
      expect.arrayContaining([
        [tokens[0], 5_000_000],
        [tokens[1], 5_000_000],
      ]),
    );
    // While that is under way nothing is left to turn.
    const again = await desk.cashNow({ batchId: older });
    expect(await desk.submissions(again.requestId)).toEqual([]);
    await desk.settle();
    const held = await Promise.all([older, newer].map((id) => desk.stateOf(id)));
    expect(held.map(({ orders }) => orders.map(({ soldSize }) => soldSize))).toEqual([
      [4_000_000, 3_000_000],
      [1_000_000, 2_000_000],
    ]);
    const brought = held.flatMap(({ sales }) => sales).reduce((sum, { filledCost }) => sum + filledCost, 0);
    expect(brought).toBe(5_000_000);
  });

  it('turns nothing of which a trade has not been confirmed: it may still be undone', async () => {
    const { batchId } = await boughtPair();
    const [, no] = (await desk.stateOf(batchId)).orders;
    const { db } = test.runtime;
    const ofNo = inArray(
      fills.attemptId,
      db
        .select({ id: attempts.id })
        .from(attempts)
        .where(eq(attempts.orderId, no?.id ?? '')),
    );
    for (const settlement of ['matched', 'mined', 'retrying', 'failed'] as const) {
      await db.update(fills).set({ settlement }).where(ofNo);
      const { requestId } = await desk.cashNow({ batchId });
      expect(await desk.submissions(requestId)).toEqual([]);
    }
    await db.update(fills).set({ settlement: 'confirmed' }).where(ofNo);
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('converts NO of several members into dollars, and the batch holds what is handed out of the others', async () => {
    const members = await membersOf((each) => !isMember(each) && each.event?.marketIds.length === 5);
    const chosen = [members[1], members[3]].filter((each) => each !== undefined);
    for (const { id } of chosen) await site.control.split(id, '10');
    const batchId = await boughtBatch(
      test,
      chosen.map((market) => ({ market, outcome: 1, shares: '10', cost: '4' })),
    );
    const rest = members.filter((each) => !chosen.includes(each));
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await desk.submissions(requestId)).toMatchObject([
      { row: { status: 'confirmed', expected: 10_000_000 }, steps: [{ kind: 'convert' }] },
    ]);
    const state = await desk.stateOf(batchId);
    expect(
      state.received.map(({ marketId, size, filledSize, filledCost, status }) => ({
        marketId,
        size,
        filledSize,
        filledCost,
        status,
      })),
    ).toEqual(
      rest.map(({ id }) => ({
        marketId: id,
        size: 10_000_000,
        filledSize: 10_000_000,
        filledCost: 0,
        status: 'filled',
      })),
    );
    expect(state.batch).toMatchObject({ actualProfit: 2_000_000, totalOrders: 2, expectedOrders: 2, unhedged: null });
    const page = { skip: 0, limit: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;
    expect((await listOrders(test.runtime.db, {}, page)).count).toBe(2 + 2 + rest.length);
    // What was handed out can be turned like any other: with NO of one of the others, bought later.
    const [other] = rest;
    if (other === undefined) throw new Error('three members are left');
    await site.control.split(other.id, '10');
    const later = await boughtBatch(test, [{ market: other, outcome: 1, shares: '10', cost: '9' }]);
    await desk.cashNow({ marketIds: members.map(({ id }) => id) });
    await desk.settle();
    const [first, second] = [await desk.stateOf(batchId), await desk.stateOf(later)];
    expect(second.sales).toMatchObject([{ filledSize: 10_000_000, filledCost: 10_000_000 }]);
    expect(first.received.find(({ marketId }) => marketId === other.id)).toMatchObject({ soldSize: 10_000_000 });
    expect(first.batch.actualProfit).toBe(2_000_000);
  });

  it('brings and hands out to the last millionth what was said, where converting takes a fee', async () => {
    const members = await membersOf((each) => !isMember(each) && each.event?.marketIds.length === 5);
    const chosen = members.slice(0, 3);
    const [first] = chosen;
    if (first === undefined) throw new Error('the event has members');
    await site.control.setFeeBips(first.id, 37);
    const tokens = members.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
    for (const { id } of chosen) await site.control.split(id, '7.123457');
    const batchId = await boughtBatch(
      test,
      chosen.map((market) => ({ market, outcome: 1, shares: '7.123457', cost: '4' })),
    );
    const before = await onChain(site, tokens);
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    await site.control.setFeeBips(first.id, 0);
    const [submission] = await desk.submissions(requestId);
    expect(submission?.row).toMatchObject({ status: 'confirmed', error: null });
    const after = await onChain(site, tokens);
    expect(after.cash - before.cash).toBe(submission?.row.expected);
    const { received, sales } = await desk.stateOf(batchId);
    const booked = tokens.map((tokenId) => {
      const sum = (orders: typeof sales) =>
        orders.filter((order) => order.tokenId === tokenId).reduce((total, { filledSize }) => total + filledSize, 0);
      return sum(received) - sum(sales);
    });
    expect(booked).toEqual(tokens.map((_, place) => (after.shares[place] ?? 0) - (before.shares[place] ?? 0)));
  });

  it('merges the whole of an event of which every member is held, the one for all others among them', async () => {
    const listed = site.markets.filter((each) => isMember(each) && each.event?.negRisk === true);
    const events = [...new Set(listed.map(({ event }) => event?.id))];
    const wholes = await Promise.all(events.map((id) => membersOf((each) => each.event?.id === id)));
    const whole = wholes.find((members) => members.length > 2 && isWhole(members));
    if (whole === undefined) throw new Error('one event lists its other');
    for (const { id } of whole) await site.control.split(id, '10');
    const batchId = await boughtBatch(
      test,
      whole.map((market) => ({ market, outcome: 0, shares: '10', cost: '1' })),
    );
    const before = await onChain(site, []);
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await desk.submissions(requestId)).toMatchObject([
      { row: { status: 'confirmed', expected: 10_000_000 }, steps: [{ kind: 'horizontal_merge' }] },
    ]);
    expect((await onChain(site, [])).cash - before.cash).toBe(10_000_000);
    const { sales } = await desk.stateOf(batchId);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(10_000_000);
  });

  it('sends several merges as one submission', async () => {
    const one = await pair();
    const other = await pair();
    const batchId = await boughtBatch(
      test,
      [one, other].flatMap(({ market }) => [
        { market, outcome: 0 as const, shares: '10', cost: '4' },
        { market, outcome: 1 as const, shares: '10', cost: '5' },
      ]),
    );
    const { transactions } = await site.control.chain();
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await desk.submissions(requestId)).toMatchObject([{ steps: [{ kind: 'merge' }, { kind: 'merge' }] }]);
    expect((await site.control.chain()).transactions.length - transactions.length).toBe(1);
  });

  it('gives the shares back, with the reason, where the chain takes it back', async () => {
    const { batchId } = await boughtPair();
    await site.control.fault('chain_revert', { reason: 'paused' });
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'failed', 'Taken back by the chain: paused.']]);
    const { sales, orders, batch } = await desk.stateOf(batchId);
    expect(sales).toMatchObject([
      { status: 'failed', error: 'Taken back by the chain: paused.' },
      { status: 'failed', error: 'Taken back by the chain: paused.' },
    ]);
    expect(orders).toMatchObject([{ soldSize: 0 }, { soldSize: 0 }]);
    expect(batch.actualProfit).toBe(1_000_000);
    const again = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await statusOf(again.requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('approves first what its calls need, and stands behind that', async () => {
    const approvals = (await desk.parts.chain.approvals()).filter(({ purpose }) => purpose === 'turn');
    const { batchId } = await boughtPair();
    const calls = approvals.map(({ contract, holder }) => ({
      kind: 'approve' as const,
      contract,
      holder,
      isAllowed: false,
    }));
    const taken = await desk.parts.chain.prepare(calls);
    await desk.parts.chain.submit(taken);
    await nextBlocks(site);
    const { requestId } = await desk.cashNow({ batchId });
    await test.time.advance(1000);
    expect(await statusOf(requestId)).toEqual([
      ['cash_now', 'approving', null],
      ['approval', 'sent', null],
    ]);
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([
      ['cash_now', 'confirmed', null],
      ['approval', 'confirmed', null],
    ]);
  });

  it('sends nothing while trading is disarmed, and follows what was sent to its end', async () => {
    const { batchId: sent } = await boughtPair();
    const { batchId: planned } = await boughtPair();
    const { requestId: first } = await desk.cashNow({ batchId: sent });
    await test.time.advance(1000);
    const { requestId: second } = await desk.cashNow({ batchId: planned });
    desk.controls.armed = false;
    await desk.settle();
    expect(await statusOf(first)).toEqual([['cash_now', 'confirmed', null]]);
    expect(await statusOf(second)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await desk.stateOf(planned)).sales).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(await desk.cashNow({ batchId: planned })).toMatchObject({ refusal: 'Trading is disarmed.' });
  });

  it('looks at the kill switch in the database before a byte leaves: this process may not have heard of it', async () => {
    const { batchId } = await boughtPair();
    await keeper.stop();
    const { requestId } = await desk.cashNow({ batchId });
    await ensureControls(test.runtime.db, 'simulated');
    await storeArmed(test.runtime.db, { ...test.runtime, mode: 'simulated', userId: null }, false);
    const { transactions } = await site.control.chain();
    keeper = desk.keep();
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect((await site.control.chain()).transactions.length).toBe(transactions.length);
  });

  it('sends nothing that the chain would refuse, and says what it has', async () => {
    const { market, batchId, tokens } = await boughtPair();
    await keeper.stop();
    const { requestId, refusal } = await desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    await desk.parts.chain.submit(
      await desk.parts.chain.prepare([{ kind: 'merge', marketIds: [market.id], shares: 4_000_000 as never }]),
    );
    await nextBlocks(site);
    keeper = desk.keep();
    await desk.settle();
    const error = `Not sent: the chain has only 6 shares of token ${tokens[0]}.`;
    expect(await statusOf(requestId)).toEqual([['cash_now', 'failed', error]]);
  });

  it('is sent once where two processes both take themselves for the keeper', async () => {
    const { batchId } = await boughtPair();
    const { transactions } = await site.control.chain();
    const others = [desk.keep(), desk.keep()];
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle();
    await Promise.all(others.map((other) => other.stop()));
    expect(await statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect((await site.control.chain()).transactions.length - transactions.length).toBe(1);
    const { fills, attempts } = await desk.stateOf(batchId);
    expect([fills.length, attempts.length]).toEqual([4, 4]);
  });

  it('is not sent by who was disarmed, or stood still, after marking it', async () => {
    const { batchId } = await boughtPair();
    const { transactions } = await site.control.chain();
    const sent = async () => (await site.control.chain()).transactions.length - transactions.length;
    const keepWith = async (atMark: () => void, lateMs: () => number) => {
      await keeper.stop();
      const { runtime } = test;
      const pass = (point: string) => (point === 'chain_marked' ? atMark() : undefined);
      const clock = { ...runtime.clock, now: () => (runtime.clock.now() + lateMs()) as Instant };
      keeper = desk.keep({ runtime: { ...runtime, pass, clock } });
    };
    await keepWith(
      () => {
        desk.controls.armed = false;
      },
      () => 0,
    );
    const disarmed = await desk.cashNow({ batchId });
    await desk.settle(2);
    expect(await statusOf(disarmed.requestId)).toEqual([['cash_now', 'failed', 'Not sent: trading is disarmed.']]);
    expect(await sent()).toBe(0);

    desk.controls.armed = true;
    let lateMs = 0;
    const sentAtMarks: number[] = [];
    await keepWith(
      () => {
        lateMs = 600;
        void sent().then((count) => sentAtMarks.push(count));
      },
      () => lateMs,
    );
    const late = await desk.cashNow({ batchId });
    await desk.settle();
    expect(await statusOf(late.requestId)).toEqual([['cash_now', 'confirmed', null]]);
    expect([sentAtMarks.length, await sent()]).toEqual([2, 1]);
  });

  it('is not failed by who does not know yet that another has sent it', async () => {
    const { batchId } = await boughtPair();
    const { requestId } = await desk.cashNow({ batchId });
    await test.time.advance(1000);
    const [{ row } = {}] = await desk.submissions(requestId);
    expect(row?.status).toBe('sent');
    expect(await fail({ runtime: test.runtime }, row?.id ?? '', DISARMED)).toBe(false);
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('is not sent by who is no keeper, or cannot prove to be it', async () => {
    await keeper.stop();
    const { batchId } = await boughtPair();
    const { partitions } = onlyEngine();
    const claim = { partition: 0, owner: test.runtime.random.uuid(), token: 7 };
    const others = [
      desk.keep({ partitions: { ...partitions, held: () => [5] } }),
      desk.keep({ partitions: { ...partitions, held: () => [0], claimOf: () => claim } }),
    ];
    const { requestId } = await desk.cashNow({ batchId });
    await desk.settle(2);
    await Promise.all(others.map((other) => other.stop()));
    expect(await desk.submissions(requestId)).toMatchObject([{ row: { status: 'planned', sentAt: null } }]);
    keeper = desk.keep();
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('waits for whoever works on a batch before it books', async () => {
    const { batchId } = await boughtPair();
    const { requestId } = await desk.cashNow({ batchId });
    await test.time.advance(1000);
    await nextBlocks(site);
    const lease = await takeLease(test.runtime, test.runtime.random.uuid(), batchId);
    await test.time.advance(2000);
    expect(await desk.submissions(requestId)).toMatchObject([{ row: { status: 'confirmed', bookedAt: null } }]);
    expect((await desk.stateOf(batchId)).sales).toMatchObject([{ status: 'processing' }, { status: 'processing' }]);
    if (lease !== null) await releaseLease(test.runtime.db, lease);
    await test.time.advance(1000);
    expect((await desk.stateOf(batchId)).sales).toMatchObject([{ status: 'filled' }, { status: 'filled' }]);
  });

  it('waits where the venue takes no more merges, and signs anew when it does', async () => {
    const { batchId } = await boughtPair();
    await site.control.fault('relayer_quota', { ms: 60_000 });
    const { requestId } = await desk.cashNow({ batchId });
    await test.time.advance(2000);
    const [{ row } = {}] = await desk.submissions(requestId);
    expect(row).toMatchObject({ status: 'planned', payload: null, sentAt: null });
    expect(row?.error).toMatch(/^Waits: the venue takes no more now: .*quota/i);
    await site.control.clearFaults();
    await test.time.advance(30_000);
    expect(await statusOf(requestId)).toMatchObject([['cash_now', 'planned', expect.stringMatching(/^Waits/)]]);
    await test.time.advance(60_000);
    await desk.settle();
    expect(await statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });
});

/** Whether the ids say that all are there: so many have a name, and the one for all others. */
function isWhole(members: readonly Market[]): boolean {
  const [first] = members;
  const arity = Number.parseInt(first?.id.slice(36, 40) ?? '', 16);
  return members.length === arity + 1;
}
