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
        assert.equal(canceled?.canceled, true);
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
        assert.equal(canceled?.canceled, false);
        assert.match(canceled?.reason ?? '', /disabled/);
      });
      const [canceled] = await bench.trading.cancelOrders([resting.signed.orderHash]);
      assert.equal(canceled?.canceled, true);
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
    assert.match(outcome.kind === 'refused' ? outcome.reason : '', reason);
  }
  const [first] = signed;
  assert.equal((await bench.trading.lookupOrder(first?.orderHash ?? '', market.id)).kind, 'absent');
  await during();
  await bench.control.setMode('normal');
  const later = await bench.trading.postOrders(signed);
  assert.ok(later.every(({ kind }) => kind === 'accepted'));
}
