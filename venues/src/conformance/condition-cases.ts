import assert from 'node:assert/strict';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place } from './orders.ts';

/** Orders on a venue that says openly that it works differently just now. */
export const CONDITION_CASES: readonly ConformanceCase[] = [
  {
    number: 50,
    title: 'post-only mode: refused with proof, nothing was placed, and the same order can be posted later',
    run: (bench) => refusedInMode(bench, 'post_only', /post-only mode/),
  },
  {
    number: 51,
    title: 'cancel-only mode: orders are refused with proof, cancels are done',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const resting = await place(bench, order(market, yes, 'buy 10 at 0.2'));
      await refusedInMode(bench, 'cancel_only', /cancel-only/, async () => {
        const [canceled] = await bench.trading.cancelOrders([resting.signed.orderHash]);
        assert.equal(canceled?.kind, 'canceled');
      });
    },
  },
  {
    number: 52,
    title: 'trading disabled: orders are refused with proof, a cancel is not called done',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const resting = await place(bench, order(market, yes, 'buy 10 at 0.2'));
      await refusedInMode(bench, 'disabled', /disabled/, async () => {
        const [canceled] = await bench.trading.cancelOrders([resting.signed.orderHash]);
        assert.equal(canceled?.kind, 'unknown');
        assert.match(canceled?.reason ?? '', /disabled/);
      });
      const [canceled] = await bench.trading.cancelOrders([resting.signed.orderHash]);
      assert.equal(canceled?.kind, 'canceled');
    },
  },
  {
    number: 54,
    title: 'a market with a delay: held is no fill and cannot be canceled, and without a match the order is open',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const account = bench.watchAccount();
      await account.journal.until('the user stream connects', () => account.stream.connected());
      await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
      await bench.control.delayMatching(market.id, 60_000);
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const { orderHash } = signed;
      assert.deepEqual(outcome, { kind: 'accepted', orderHash, status: 'delayed' });
      const status = async () => {
        const lookup = await bench.trading.lookupOrder(orderHash, market.id);
        return lookup.kind === 'found' ? lookup.order.status : lookup.kind;
      };
      assert.equal(await status(), 'delayed');
      assert.deepEqual(await bench.trading.fillsOfOrder(orderHash, market.id, null), []);
      const [tooEarly] = await bench.trading.cancelOrders([orderHash]);
      assert.equal(tooEarly?.kind, 'refused');
      assert.match(tooEarly?.reason ?? '', /delayed/);
      await bench.control.quote(yes.tokenId, [], []);
      await bench.control.advanceClock(60_000);
      assert.equal(await status(), 'open');
      const reported = () => account.orders.findLast((one) => one.orderHash === orderHash)?.status;
      await account.journal.until('the resting order is reported', () => reported() === 'open');
      assert.ok((await bench.trading.openOrders()).some((one) => one.orderHash === orderHash));
      const [canceled] = await bench.trading.cancelOrders([orderHash]);
      assert.equal(canceled?.kind, 'canceled');
    },
  },
  {
    number: 55,
    title: 'a match is accepted at once and its fill found, whether or not the answer names the transaction',
    run: async (bench) => {
      for (const isNamed of [true, false]) {
        const { market, yes } = await bench.freshMarket();
        await bench.control.nameTransactions(isNamed);
        await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
        const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
        assert.deepEqual(outcome, { kind: 'accepted', orderHash: signed.orderHash, status: 'matched' });
        const [fill] = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
        assert.ok(fill && fill.settlement !== 'failed');
      }
    },
  },
  {
    number: 56,
    title:
      'heartbeats keep what rests, also from several processes one after another, and without them it is canceled and read so',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const account = bench.watchAccount();
      await account.journal.until('the user stream connects', () => account.stream.connected());
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.2'));
      const { trading } = await bench.openVenue();
      assert.ok(trading);
      const status = async () => {
        const lookup = await bench.trading.lookupOrder(signed.orderHash, market.id);
        return lookup.kind === 'found' ? lookup.order.status : lookup.kind;
      };
      for (let round = 0; round < 2; round += 1) {
        for (const process of [bench.trading, trading]) {
          assert.deepEqual(await process.heartbeat(), { kind: 'taken' });
          await bench.control.advanceClock(8_000);
        }
      }
      assert.deepEqual(await Promise.all([bench.trading.heartbeat(), trading.heartbeat()]), [
        { kind: 'taken' },
        { kind: 'taken' },
      ]);
      assert.equal(await status(), 'open');
      await bench.control.advanceClock(10_000);
      assert.equal(await status(), 'canceled');
      const reported = () => account.orders.findLast((one) => one.orderHash === signed.orderHash)?.status;
      await account.journal.until('the cancellation is reported', () => reported() === 'canceled');
      assert.deepEqual(await trading.heartbeat(), { kind: 'taken' });
      await bench.control.advanceClock(10_000);
    },
  },
];

async function refusedInMode(bench: Bench, mode: string, reason: RegExp, during = async () => {}): Promise<void> {
  const { market, yes, no } = await bench.freshMarket();
  await bench.control.setMode(mode);
  const signed = [
    await bench.trading.signOrder(order(market, yes, 'buy 10 at 0.3')),
    await bench.trading.signOrder(order(market, no, 'buy 10 at 0.3')),
  ];
  for (const outcome of await bench.trading.postOrders(signed)) {
    assert.match(outcome.kind === 'rejected' ? outcome.reason : '', reason);
  }
  const [first] = signed;
  assert.equal((await bench.trading.lookupOrder(first?.orderHash ?? '', market.id)).kind, 'absent');
  await during();
  await bench.control.setMode('normal');
  const later = await bench.trading.postOrders(signed);
  assert.ok(later.every(({ kind }) => kind === 'accepted'));
}
