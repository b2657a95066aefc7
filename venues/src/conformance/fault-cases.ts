import assert from 'node:assert/strict';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { VenueFill } from '../venue.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place, unnamed } from './orders.ts';

/** Orders on a venue that misbehaves: what is unknown is called unknown, found again by its hash, and never doubled. */
export const FAULT_CASES: readonly ConformanceCase[] = [
  {
    number: 40,
    title: 'accept_then_500: the outcome is unknown, the order is found by its hash and not doubled',
    run: (bench) => placedButUnknown(bench, 'accept_then_500'),
  },
  {
    number: 41,
    title: 'drop_response: the outcome is unknown, the order is found by its hash and not doubled',
    run: (bench) => placedButUnknown(bench, 'drop_response'),
  },
  {
    number: 42,
    title: 'hang: the call ends at its deadline, the outcome is unknown, the order is found by its hash',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const { trading } = await bench.openVenue({ requestTimeoutMs: 2_000 });
      assert.ok(trading);
      await bench.control.fault('hang', { token_id: yes.tokenId, ms: 30_000 });
      const signed = await trading.signOrder(order(market, yes, 'buy 10 at 0.3'));
      const [outcome] = await trading.postOrders([signed]);
      assert.equal(outcome?.kind, 'unknown');
      assert.equal((await trading.lookupOrder(signed.orderHash, market.id)).kind, 'found');
    },
  },
  {
    number: 43,
    title: 'rate_limit_429: not looked at, with proof, nothing was placed, and the same order can be posted later',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.fault('rate_limit_429', { token_id: yes.tokenId });
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.match(outcome.kind === 'rate_limited' ? outcome.reason : '', /too many requests/i);
      const now = instantFromMs(Date.now());
      assert.ok(bench.trading.pace.slotAt({ who: 'a', purpose: 'buy', orders: 1 }, now) > now);
      assert.equal(bench.trading.pace.slotAt({ who: 'b', purpose: 'cancel', orders: 1 }, now), now);
      assert.equal((await bench.trading.lookupOrder(signed.orderHash, market.id)).kind, 'absent');
      const [later] = await bench.trading.postOrders([signed]);
      assert.equal(later?.kind, 'accepted');
    },
  },
  {
    number: 44,
    title: 'restart_425: unknown until looked up, and the same order can be posted after the restart',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.fault('restart_425', { token_id: yes.tokenId });
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.equal(outcome.kind, 'unknown');
      assert.equal((await bench.trading.lookupOrder(signed.orderHash, market.id)).kind, 'absent');
      const [later] = await bench.trading.postOrders([signed]);
      assert.equal(later?.kind, 'accepted');
    },
  },
  {
    number: 45,
    title: 'a batch whose answer is lost is unknown for every order in it',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.fault('accept_then_500', { token_id: no.tokenId });
      const signed = [
        await bench.trading.signOrder(order(market, yes, 'buy 10 at 0.3')),
        await bench.trading.signOrder(order(market, no, 'buy 10 at 0.3')),
      ];
      const outcomes = await bench.trading.postOrders(signed);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['unknown', 'unknown'],
      );
      const again = await bench.trading.postOrders(signed);
      assert.deepEqual(
        again.map(({ kind }) => kind),
        ['accepted', 'accepted'],
      );
      const { orders } = await bench.control.state();
      assert.equal(orders.filter(({ id }) => signed.some(({ orderHash }) => orderHash === id)).length, 2);
    },
  },
  {
    number: 46,
    title: 'partial_fill: what was matched is reported, the rest stays open',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '10']]);
      await bench.control.fault('partial_fill', { token_id: yes.tokenId, fraction: 0.5 });
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'open');
      const fills = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
      const filled = fills.reduce((sum, { size }) => sum + size, 0);
      assert.equal(filled, sharesFromText('5'));
    },
  },
  {
    number: 47,
    title: 'fail_settlement: a fill that was matched is reported as failed, not as gone',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      await bench.control.fault('fail_settlement', { token_id: yes.tokenId });
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const settlements = async () =>
        (await bench.trading.fillsOfOrder(signed.orderHash, market.id, null)).map(({ settlement }) => settlement);
      const [before, ...more] = await settlements();
      // The exchange's clock runs, and a second after the match it tries the settlement again.
      assert.ok((before === 'matched' || before === 'retrying') && more.length === 0);
      await bench.control.advanceClock(10_000);
      assert.deepEqual(await settlements(), ['failed']);
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, 0);
    },
  },
  {
    number: 48,
    title: 'empty_positions: an answer of nothing is not believed at once',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      await place(bench, order(market, yes, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      await bench.control.fault('empty_positions', { token_id: yes.tokenId });
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, sharesFromText('10'));
    },
  },
  {
    number: 49,
    title: 'duplicate_user_events and reorder_user_events: the fills told apart by trade and order are the true ones',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const account = bench.watchAccount();
      await account.journal.until('the user stream connects', () => account.stream.connected());
      await bench.control.quote(yes.tokenId, [], [['0.5', '4']]);
      await bench.control.fault('duplicate_user_events', { times: 3 });
      await bench.control.fault('reorder_user_events', { times: 3 });
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.51'));
      await bench.control.quote(yes.tokenId, [], [['0.51', '6']]);
      const ours = () => lastOfEach(account.fills.filter(({ orderHash }) => orderHash === signed.orderHash));
      await account.journal.until('both fills arrive', () => ours().length === 2);
      const read = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
      assert.deepEqual(sizes(ours()), sizes(read));
    },
  },
  {
    number: 53,
    title: 'drop_response before acceptance: unknown until looked up, and the same order can be posted again, once',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      await bench.control.fault('drop_response', { token_id: yes.tokenId, before: true });
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      assert.equal(outcome.kind, 'unknown');
      assert.equal((await bench.trading.lookupOrder(signed.orderHash, market.id)).kind, 'absent');
      const [later] = await bench.trading.postOrders([signed]);
      assert.deepEqual(unnamed(later), { kind: 'accepted', orderHash: signed.orderHash, status: 'matched' });
      const { trades } = await bench.control.state();
      assert.equal(trades.filter(({ asset_id }) => asset_id === yes.tokenId).length, 1);
    },
  },
  {
    number: 56,
    title: 'drop_delayed: found as delayed while it is held, absent afterwards, and it has no fills',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.fault('drop_delayed', { token_id: yes.tokenId, ms: 60_000 });
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'delayed');
      const held = await bench.trading.lookupOrder(signed.orderHash, market.id);
      assert.equal(held.kind === 'found' && held.order.status, 'delayed');
      await bench.control.advanceClock(60_000);
      assert.equal((await bench.trading.lookupOrder(signed.orderHash, market.id)).kind, 'absent');
      assert.deepEqual(await bench.trading.fillsOfOrder(signed.orderHash, market.id, null), []);
    },
  },
  {
    number: 57,
    title: 'match_short: the order is matched by the venue’s own word, with its whole size and what was matched of it',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      await bench.control.fault('match_short', { token_id: yes.tokenId });
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const lookup = await bench.trading.lookupOrder(signed.orderHash, market.id);
      assert.ok(lookup.kind === 'found' && lookup.byTradesOnly === undefined);
      const { status, originalSize, matchedSize } = lookup.order;
      assert.deepEqual([status, originalSize, matchedSize], ['matched', sharesFromText('10'), sharesFromText('9.998')]);
      const fills = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
      assert.equal(
        fills.reduce((sum, { size }) => sum + size, 0),
        sharesFromText('9.998'),
      );
    },
  },
  {
    number: 58,
    title: 'null_after_cancel: the stream tells of the cancellation; then the order is absent, or only its trades tell',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const account = bench.watchAccount();
      await account.journal.until('the user stream connects', () => account.stream.connected());
      await bench.control.quote(yes.tokenId, [], [['0.5', '4']]);
      await bench.control.fault('null_after_cancel', { token_id: yes.tokenId, times: 2, ms: 60_000 });
      const { signed: partly } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const { signed: resting } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      await bench.control.advanceClock(60_000);
      const isReported = ({ orderHash }: typeof partly) =>
        account.orders.some((reported) => reported.orderHash === orderHash && reported.status === 'canceled');
      await account.journal.until('both cancellations are reported', () => isReported(partly) && isReported(resting));
      assert.equal((await bench.trading.lookupOrder(resting.orderHash, market.id)).kind, 'absent');
      const lookup = await bench.trading.lookupOrder(partly.orderHash, market.id);
      assert.ok(lookup.kind === 'found' && lookup.byTradesOnly);
      assert.equal(lookup.order.matchedSize, sharesFromText('4'));
    },
  },
];

async function placedButUnknown(bench: Bench, fault: string): Promise<void> {
  const { market, yes } = await bench.freshMarket();
  await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
  await bench.control.fault(fault, { token_id: yes.tokenId });
  const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
  assert.equal(outcome.kind, 'unknown');
  const lookup = await bench.trading.lookupOrder(signed.orderHash, market.id);
  assert.equal(lookup.kind === 'found' && lookup.order.status, 'matched');
  const [again] = await bench.trading.postOrders([signed]);
  assert.deepEqual(unnamed(again), { kind: 'accepted', orderHash: signed.orderHash, status: 'matched' });
  const { trades } = await bench.control.state();
  assert.equal(trades.filter(({ asset_id }) => asset_id === yes.tokenId).length, 1);
}

function lastOfEach(fills: readonly VenueFill[]): VenueFill[] {
  return [...new Map(fills.map((fill) => [`${fill.tradeId} ${fill.orderHash}`, fill])).values()];
}

function sizes(fills: readonly VenueFill[]): string[] {
  return fills.map(({ tradeId, size, price, fee }) => `${tradeId} ${size} ${price} ${fee}`).sort();
}
