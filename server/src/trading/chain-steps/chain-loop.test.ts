import type { Market } from '@dutchbook/engine/market/market.ts';
import { eq, inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { listOrders } from '../orders/store.ts';
import { attempts, fills } from '../orders/table.ts';
import { readHeldTokens } from '../under-way/held-tokens.ts';
import { decideCashNow } from './cash-now.ts';
import { boughtBatch, nextBlocks, onChain } from './chain.fixture.ts';
import { keptDesk } from './chain-desk.fixture.ts';

const kept = keptDesk();

/** The members of an event, as the contract counts them. */
async function membersOf(isMeant: (market: Market) => boolean): Promise<Market[]> {
  const event = kept.site.markets.find(isMeant)?.event;
  const [listed] = await kept.site.venue.catalogue.eventsById([event?.id ?? ''], 'display');
  const ids = listed?.members.toSorted((a, b) => (a.memberIndex ?? 0) - (b.memberIndex ?? 0)) ?? [];
  return ids.flatMap(({ marketId }) => kept.site.markets.find(({ id }) => id === marketId) ?? []);
}

const isMember = ({ id }: Market) => /^0x0[1-4].{36}0{16}.{8}00$/.test(id);

/** Of a variable's contract: a line, not a range. */
const isLine = (id: string) => /80..00$/.test(id);

describe('the chain loop', () => {
  it('converts a pair into its dollars, to the micro-dollar, and books them in proportion to what the shares cost', async () => {
    const { batchId, tokens } = await kept.boughtPair(['3.333333', '6']);
    const before = await onChain(kept.site, tokens);
    const spendable = (await kept.site.venue.trading?.cashBalance())?.cash ?? 0;
    const { requestId, refusal } = await kept.desk.cashNow({ batchId });
    expect(refusal).toBeNull();
    expect((await kept.desk.stateOf(batchId)).batch.saleUnderWay).toBe(true);
    await kept.desk.untilIdle();
    expect(await kept.desk.submissions(requestId)).toMatchObject([
      {
        row: { status: 'confirmed', expected: 10_000_000, error: null, requestedBy: 'op@example.com' },
        steps: [{ kind: 'merge', shares: 10_000_000 }],
      },
    ]);
    const after = await onChain(kept.site, tokens);
    expect([after.cash - before.cash, before.shares, after.shares]).toEqual([
      10_000_000,
      [10_000_000, 10_000_000],
      [0, 0],
    ]);
    const [{ row } = {}] = await kept.desk.submissions(requestId);
    expect(row?.balancesAfter?.cash).toBe((row?.balancesBefore?.cash ?? 0) + 10_000_000);
    expect((await kept.site.venue.trading?.cashBalance())?.cash).toBe(spendable + 10_000_000);
    const { batch, sales, orders } = await kept.desk.stateOf(batchId);
    expect(sales).toMatchObject([
      { status: 'filled', filledSize: 10_000_000, filledCost: 3_571_428, fee: 0 },
      { status: 'filled', filledSize: 10_000_000, filledCost: 6_428_572, fee: 0 },
    ]);
    expect(orders).toMatchObject([{ soldSize: 10_000_000 }, { soldSize: 10_000_000 }]);
    expect(batch).toMatchObject({ actualProfit: 666_667, unhedged: null });
  });

  it('says what came in by the submission itself, whatever else moves the cash while it is under way', async () => {
    const { batchId, tokens } = await kept.boughtPair();
    const before = await onChain(kept.site, tokens);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    await kept.pair();
    await kept.desk.untilIdle();
    const [submission] = await kept.desk.submissions(requestId);
    expect(submission?.row).toMatchObject({ status: 'confirmed', expected: 10_000_000, received: 10_000_000 });
    expect((await onChain(kept.site, tokens)).cash).toBe(before.cash);
  });

  it('takes no more than the smaller side has, the oldest batch first, and leaves what is in sale', async () => {
    const { market, tokens } = await kept.pair();
    const [yes, no] = [0, 1] as const;
    const older = await boughtBatch(kept.test, [
      { market, outcome: yes, shares: '4', cost: '2' },
      { market, outcome: no, shares: '3', cost: '1' },
    ]);
    await kept.test.time.advance(1000);
    const newer = await boughtBatch(kept.test, [
      { market, outcome: yes, shares: '6', cost: '3' },
      { market, outcome: no, shares: '2', cost: '1' },
    ]);
    await kept.desk.cashNow({ marketIds: [market.id] });
    expect((await readHeldTokens(kept.test.runtime.db)).map(({ tokenId, inSale }) => [tokenId, inSale])).toEqual(
      expect.arrayContaining([
        [tokens[0], 5_000_000],
        [tokens[1], 5_000_000],
      ]),
    );
    // While that is under way nothing is left to convert.
    const again = await kept.desk.cashNow({ batchId: older });
    expect(await kept.desk.submissions(again.requestId)).toEqual([]);
    await kept.desk.untilIdle();
    const held = await Promise.all([older, newer].map((id) => kept.desk.stateOf(id)));
    expect(held.map(({ orders }) => orders.map(({ soldSize }) => soldSize))).toEqual([
      [4_000_000, 3_000_000],
      [1_000_000, 2_000_000],
    ]);
    const brought = held.flatMap(({ sales }) => sales).reduce((sum, { filledCost }) => sum + filledCost, 0);
    expect(brought).toBe(5_000_000);
  });

  it('converts nothing of which a trade has not been confirmed: it may still be undone', async () => {
    const { batchId } = await kept.boughtPair();
    const [, no] = (await kept.desk.stateOf(batchId)).orders;
    const { db } = kept.test.runtime;
    const ofNo = inArray(
      fills.attemptId,
      db
        .select({ id: attempts.id })
        .from(attempts)
        .where(eq(attempts.orderId, no?.id ?? '')),
    );
    for (const settlement of ['matched', 'mined', 'retrying', 'failed'] as const) {
      await db.update(fills).set({ settlement }).where(ofNo);
      const { requestId } = await kept.desk.cashNow({ batchId });
      expect(await kept.desk.submissions(requestId)).toEqual([]);
    }
    await db.update(fills).set({ settlement: 'confirmed' }).where(ofNo);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('converts NO of several members into dollars, and the batch holds what is handed out of the others', async () => {
    const members = await membersOf((each) => !isMember(each) && each.event?.marketIds.length === 5);
    const chosen = [members[1], members[3]].filter((each) => each !== undefined);
    for (const { id } of chosen) await kept.site.control.split(id, '10');
    const batchId = await boughtBatch(
      kept.test,
      chosen.map((market) => ({ market, outcome: 1, shares: '10', cost: '4' })),
    );
    const rest = members.filter((each) => !chosen.includes(each));
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.desk.submissions(requestId)).toMatchObject([
      { row: { status: 'confirmed', expected: 10_000_000, received: 10_000_000 }, steps: [{ kind: 'convert' }] },
    ]);
    const state = await kept.desk.stateOf(batchId);
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
    expect((await listOrders(kept.test.runtime.db, {}, page)).count).toBe(2 + 2 + rest.length);
    // What was handed out can be converted like any other: with NO of one of the others, bought later.
    const [other] = rest;
    if (other === undefined) throw new Error('three members are left');
    await kept.site.control.split(other.id, '10');
    const later = await boughtBatch(kept.test, [{ market: other, outcome: 1, shares: '10', cost: '9' }]);
    await kept.desk.cashNow({ marketIds: members.map(({ id }) => id) });
    await kept.desk.untilIdle();
    const [first, second] = [await kept.desk.stateOf(batchId), await kept.desk.stateOf(later)];
    expect(second.sales).toMatchObject([{ filledSize: 10_000_000, filledCost: 10_000_000 }]);
    expect(first.received.find(({ marketId }) => marketId === other.id)).toMatchObject({ soldSize: 10_000_000 });
    expect(first.batch.actualProfit).toBe(2_000_000);
  });

  it('brings and hands out to the last millionth what was said, where converting takes a fee', async () => {
    const members = await membersOf((each) => !isMember(each) && each.event?.marketIds.length === 5);
    const chosen = members.slice(0, 3);
    const [first] = chosen;
    if (first === undefined) throw new Error('the event has members');
    await kept.site.control.setFeeBips(first.id, 37);
    const tokens = members.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
    for (const { id } of chosen) await kept.site.control.split(id, '7.123457');
    const batchId = await boughtBatch(
      kept.test,
      chosen.map((market) => ({ market, outcome: 1, shares: '7.123457', cost: '4' })),
    );
    const before = await onChain(kept.site, tokens);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    await kept.site.control.setFeeBips(first.id, 0);
    const [submission] = await kept.desk.submissions(requestId);
    expect(submission?.row).toMatchObject({ status: 'confirmed', error: null });
    const after = await onChain(kept.site, tokens);
    expect(after.cash - before.cash).toBe(submission?.row.expected);
    const { received, sales } = await kept.desk.stateOf(batchId);
    const booked = tokens.map((tokenId) => {
      const sum = (orders: typeof sales) =>
        orders.filter((order) => order.tokenId === tokenId).reduce((total, { filledSize }) => total + filledSize, 0);
      return sum(received) - sum(sales);
    });
    expect(booked).toEqual(tokens.map((_, place) => (after.shares[place] ?? 0) - (before.shares[place] ?? 0)));
  });

  it('merges the whole of an event of which every member is held, the one for all others among them', async () => {
    const listed = kept.site.markets.filter((each) => isMember(each) && each.event?.negRisk === true);
    const events = [...new Set(listed.map(({ event }) => event?.id))];
    const wholes = await Promise.all(events.map((id) => membersOf((each) => each.event?.id === id)));
    const whole = wholes.find((members) => members.length > 2 && isWhole(members));
    if (whole === undefined) throw new Error('one event lists its other');
    for (const { id } of whole) await kept.site.control.split(id, '10');
    const batchId = await boughtBatch(
      kept.test,
      whole.map((market) => ({ market, outcome: 0, shares: '10', cost: '1' })),
    );
    const before = await onChain(kept.site, []);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.desk.submissions(requestId)).toMatchObject([
      {
        row: { status: 'confirmed', expected: 10_000_000, received: 10_000_000 },
        steps: [{ kind: 'horizontal_merge' }],
      },
    ]);
    expect((await onChain(kept.site, [])).cash - before.cash).toBe(10_000_000);
    const { sales } = await kept.desk.stateOf(batchId);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(10_000_000);
  });

  it('merges above a line with below a higher one, and the batch holds what lies between them', async () => {
    const ofVariable = kept.site.markets.filter(({ id }) => id.startsWith('0x04'));
    const lines = ofVariable.filter(({ id }) => isLine(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const [low, high] = lines;
    const ranges = ofVariable.filter((each) => !isLine(each.id) && each.event?.id === low?.event?.id);
    const between = ranges.find(({ question }) => question.includes('at least $80 and less than $100'));
    if (!low || !high || !between) throw new Error('the exchange has lines of one variable');
    for (const { id } of [low, high]) await kept.site.control.split(id, '10');
    const batchId = await boughtBatch(kept.test, [
      { market: low, outcome: 0, shares: '10', cost: '7' },
      { market: high, outcome: 1, shares: '10', cost: '5' },
    ]);
    const tokens = [low.outcomes[0], high.outcomes[1], between.outcomes[0]].map((one) => one?.tokenId ?? '');
    const before = await onChain(kept.site, tokens);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.desk.submissions(requestId)).toMatchObject([
      {
        row: { status: 'confirmed', expected: 10_000_000, received: 10_000_000, error: null },
        steps: [{ kind: 'directional_merge', marketIds: [low.id, high.id] }],
      },
    ]);
    const after = await onChain(kept.site, tokens);
    expect(after.cash - before.cash).toBe(10_000_000);
    expect(after.shares.map((shares, place) => shares - (before.shares[place] ?? 0))).toEqual([
      ...[-10_000_000, -10_000_000, 10_000_000],
    ]);
    const { orders, received, sales } = await kept.desk.stateOf(batchId);
    expect(orders).toMatchObject([{ soldSize: 10_000_000 }, { soldSize: 10_000_000 }]);
    expect(sales.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(10_000_000);
    expect(received).toMatchObject([
      {
        ...{ marketId: between.id, marketName: between.question, outcome: 'Yes', tokenId: tokens[2] },
        ...{ filledSize: 10_000_000, filledCost: 0, status: 'filled', submissionPurpose: 'cash_now' },
      },
    ]);
    // With No of that range, bought later, it is a pair like any other.
    await kept.site.control.split(between.id, '10');
    const later = await boughtBatch(kept.test, [{ market: between, outcome: 1, shares: '10', cost: '6' }]);
    await kept.desk.cashNow({ marketIds: [between.id] });
    await kept.desk.untilIdle();
    expect((await kept.desk.stateOf(later)).sales).toMatchObject([{ filledSize: 10_000_000 }]);
    expect((await kept.desk.stateOf(batchId)).received).toMatchObject([{ soldSize: 10_000_000 }]);
  });

  it('merges no lines where their contract is not to be called', async () => {
    const [low, high] = kept.site.markets
      .filter(({ id }) => id.startsWith('0x04') && isLine(id))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (!low || !high) throw new Error('the exchange has lines of one variable');
    for (const { id } of [low, high]) await kept.site.control.split(id, '10');
    const batchId = await boughtBatch(kept.test, [
      { market: low, outcome: 0, shares: '10', cost: '7' },
      { market: high, outcome: 1, shares: '10', cost: '5' },
    ]);
    const off = { ...kept.desk.parts, chain: { ...kept.desk.parts.chain, mergesLines: false } };
    const scope = { lots: { batchId }, only: null };
    expect((await decideCashNow(off, scope, 'trading')).plan.steps).toEqual([]);
    expect((await decideCashNow(kept.desk.parts, scope, 'trading')).plan.steps).toHaveLength(1);
  });

  it('sends several merges as one submission', async () => {
    const one = await kept.pair();
    const other = await kept.pair();
    const batchId = await boughtBatch(
      kept.test,
      [one, other].flatMap(({ market }) => [
        { market, outcome: 0 as const, shares: '10', cost: '4' },
        { market, outcome: 1 as const, shares: '10', cost: '5' },
      ]),
    );
    const { transactions } = await kept.site.control.chain();
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.desk.submissions(requestId)).toMatchObject([{ steps: [{ kind: 'merge' }, { kind: 'merge' }] }]);
    expect((await kept.site.control.chain()).transactions.length - transactions.length).toBe(1);
  });

  it('gives the shares back, with the reason, where the chain takes it back', async () => {
    const { batchId } = await kept.boughtPair();
    await kept.site.control.fault('chain_revert', { reason: 'paused' });
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(requestId)).toEqual([['cash_now', 'failed', 'Taken back by the chain: paused.']]);
    const { sales, orders, batch } = await kept.desk.stateOf(batchId);
    expect(sales).toMatchObject([
      { status: 'failed', error: 'Taken back by the chain: paused.' },
      { status: 'failed', error: 'Taken back by the chain: paused.' },
    ]);
    expect(orders).toMatchObject([{ soldSize: 0 }, { soldSize: 0 }]);
    expect(batch.actualProfit).toBe(1_000_000);
    const again = await kept.desk.cashNow({ batchId });
    await kept.desk.untilIdle();
    expect(await kept.statusOf(again.requestId)).toEqual([['cash_now', 'confirmed', null]]);
  });

  it('approves first what its calls need, and stands behind that', async () => {
    const approvals = (await kept.desk.parts.chain.approvals()).filter(({ purpose }) => purpose === 'conversion');
    const { batchId } = await kept.boughtPair();
    const calls = approvals.map(({ contract, holder }) => ({
      kind: 'approve' as const,
      contract,
      holder,
      isAllowed: false,
    }));
    const taken = await kept.desk.parts.chain.prepare(calls);
    await kept.desk.parts.chain.submit(taken);
    await nextBlocks(kept.site);
    const { requestId } = await kept.desk.cashNow({ batchId });
    await kept.test.time.advance(1000);
    // Both may be of one millisecond.
    expect((await kept.statusOf(requestId)).toSorted()).toEqual([
      ['approval', 'sent', null],
      ['cash_now', 'approving', null],
    ]);
    await kept.desk.untilIdle();
    expect((await kept.statusOf(requestId)).toSorted()).toEqual([
      ['approval', 'confirmed', null],
      ['cash_now', 'confirmed', null],
    ]);
  });
});

/** Whether the ids say that all are there: so many have a name, and the one for all others. */
function isWhole(members: readonly Market[]): boolean {
  const [first] = members;
  const arity = Number.parseInt(first?.id.slice(36, 40) ?? '', 16);
  return members.length === arity + 1;
}
