import assert from 'node:assert/strict';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place } from './orders.ts';

const TEN = sharesFromText('10');

/** Orders on a venue that behaves. */
export const PLACING_CASES: readonly ConformanceCase[] = [
  {
    number: 20,
    title: 'names the order before it is sent, places it and reports its fill to the micro-unit',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.55', '100']]);
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.56'));
      assert.deepEqual(outcome, { kind: 'accepted', orderHash: signed.orderHash, status: 'matched' });
      const [fill, ...more] = await bench.trading.fillsOfOrder(signed.orderHash, market.id);
      assert.ok(fill && more.length === 0 && market.feeRate !== null);
      const price = priceFromText('0.55');
      assert.deepEqual(
        [fill.orderHash, fill.tokenId, fill.side, fill.price, fill.size, fill.fee],
        [signed.orderHash, yes.tokenId, 'buy', price, TEN, takerFee(TEN, price, market.feeRate)],
      );
      const truth = (await bench.control.state()).trades.find(({ id }) => id === fill.tradeId);
      assert.deepEqual([truth?.size, truth?.price], ['10', '0.55']);
      assert.equal(usdFromText(truth?.fee ?? ''), fill.fee);
    },
  },
  {
    number: 21,
    title: 'rests what does not match, shows it among the open orders and cancels it',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.deepEqual(outcome, { kind: 'accepted', orderHash: signed.orderHash, status: 'open' });
      const open = await bench.trading.openOrders();
      const mine = open.find(({ orderHash }) => orderHash === signed.orderHash);
      assert.deepEqual([mine?.status, mine?.originalSize, mine?.matchedSize], ['open', TEN, 0]);
      const canceled = await bench.trading.cancelOrders([signed.orderHash]);
      assert.deepEqual(canceled, [{ orderHash: signed.orderHash, kind: 'canceled', reason: null }]);
      const lookup = await bench.trading.lookupOrder(signed.orderHash);
      assert.equal(lookup.kind === 'found' && lookup.order.status, 'canceled');
    },
  },
  {
    number: 22,
    title: 'says of a cancel that came too late why it did nothing',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const [late] = await bench.trading.cancelOrders([signed.orderHash]);
      assert.equal(late?.kind, 'refused');
      assert.match(late?.reason ?? '', /matched/);
    },
  },
  {
    number: 23,
    title: 'fills in part and leaves the rest open',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '4']]);
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'open');
      const lookup = await bench.trading.lookupOrder(signed.orderHash);
      assert.ok(lookup.kind === 'found');
      assert.deepEqual([lookup.order.status, lookup.order.matchedSize], ['open', sharesFromText('4')]);
    },
  },
  {
    number: 24,
    title: 'buys exactly the shares asked for when the rest must not stay, also at a better price',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.4', '6.5']]);
      const better = await place(bench, order(market, yes, 'buy 5 at 0.6', 'kill'));
      assert.equal(better.outcome.kind === 'accepted' && better.outcome.status, 'matched');
      const [fill] = await bench.trading.fillsOfOrder(better.signed.orderHash, market.id);
      assert.equal(fill?.size, sharesFromText('5'));
      const short = await place(bench, order(market, yes, 'buy 10 at 0.6', 'kill'));
      assert.equal(short.outcome.kind === 'accepted' && short.outcome.status, 'matched');
      const lookup = await bench.trading.lookupOrder(short.signed.orderHash);
      assert.ok(lookup.kind === 'found');
      assert.deepEqual([lookup.order.status, lookup.order.matchedSize], ['canceled', sharesFromText('1.5')]);
    },
  },
  {
    number: 25,
    title: 'sells what it holds and drops the rest',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [['0.45', '6']], [['0.5', '100']]);
      await place(bench, order(market, yes, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      assert.equal(await bench.trading.holding(yes.tokenId), TEN);
      const { signed, outcome } = await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'matched');
      const [fill] = await bench.trading.fillsOfOrder(signed.orderHash, market.id);
      assert.deepEqual([fill?.side, fill?.size], ['sell', sharesFromText('6')]);
      await bench.control.advanceClock(5_000);
      assert.equal(await bench.trading.holding(yes.tokenId), sharesFromText('4'));
    },
  },
  {
    number: 26,
    title: 'reports a fill that rested as ours, without a fee, for the outcome we ordered',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      const resting = await place(bench, order(market, yes, 'buy 10 at 0.4'));
      await place(bench, order(market, no, 'buy 10 at 0.6'));
      const [fill] = await bench.trading.fillsOfOrder(resting.signed.orderHash, market.id);
      assert.deepEqual(
        [fill?.tokenId, fill?.side, fill?.price, fill?.size, fill?.fee],
        [yes.tokenId, 'buy', priceFromText('0.4'), TEN, 0],
      );
    },
  },
  {
    number: 27,
    title: 'refuses to sign what the venue could never take, before anything is sent',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const sign = (text: Parameters<typeof order>[2]) => bench.trading.signOrder(order(market, yes, text));
      await assert.rejects(sign('buy 10 at 0.555'), /0\.555 is not a multiple of the tick 0\.01/);
      await assert.rejects(sign('buy 10 at 0'), /not between/);
      await assert.rejects(sign('buy 10 at 1'), /not between/);
      await assert.rejects(sign('buy 10.001 at 0.5'), /at most two decimals/);
      await assert.rejects(sign('buy 0 at 0.5'), /positive/);
    },
  },
  {
    number: 28,
    title: 'passes on why the venue refused: too small, no money',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const small = await place(bench, order(market, yes, 'buy 1 at 0.5'));
      assert.equal(small.outcome.kind, 'refused');
      assert.match(small.outcome.kind === 'refused' ? small.outcome.reason : '', /lower than the minimum/);
      const rich = await place(bench, order(market, yes, 'buy 1000000 at 0.5'));
      assert.match(rich.outcome.kind === 'refused' ? rich.outcome.reason : '', /not enough balance/);
      assert.equal((await bench.trading.lookupOrder(rich.signed.orderHash)).kind, 'absent');
    },
  },
  {
    number: 29,
    title: 'posts the same signed order twice and still has one order',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      const [again] = await bench.trading.postOrders([signed]);
      assert.deepEqual(again, outcome);
      const { orders } = await bench.control.state();
      assert.equal(orders.filter(({ asset_id }) => asset_id === yes.tokenId).length, 1);
    },
  },
  {
    number: 30,
    title: 'answers for each order of a batch, in order, also for more than one call takes',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      const requests = [order(market, yes, 'buy 10 at 0.5'), order(market, no, 'buy 1 at 0.2')];
      for (let count = 0; count < 18; count++) requests.push(order(market, no, 'buy 5 at 0.1'));
      const signed = await Promise.all(requests.map((request) => bench.trading.signOrder(request)));
      const outcomes = await bench.trading.postOrders(signed);
      const told = outcomes.map((one) => (one.kind === 'accepted' ? one.status : one.kind));
      assert.deepEqual(told, ['matched', 'refused', ...Array.from({ length: 18 }, () => 'open')]);
      for (const [index, one] of outcomes.entries()) {
        if (one.kind === 'accepted') assert.equal(one.orderHash, signed[index]?.orderHash);
      }
    },
  },
  {
    number: 31,
    title: 'counts as free cash what resting buys have not reserved',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const before = await bench.trading.cashBalance();
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.equal(before - (await bench.trading.cashBalance()), usdFromText('3'));
      await bench.trading.cancelOrders([signed.orderHash]);
      assert.equal(await bench.trading.cashBalance(), before);
    },
  },
  {
    number: 32,
    title: 'finds after a restart everything the process before it had placed',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '4']]);
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const { trading } = await bench.openVenue();
      const lookup = await trading?.lookupOrder(signed.orderHash, market.id);
      assert.equal(lookup?.kind === 'found' && lookup.order.matchedSize, sharesFromText('4'));
      const fills = await trading?.fillsOfOrder(signed.orderHash, market.id);
      assert.equal(fills?.length, 1);
      const since = await trading?.fillsSince(fills[0]?.matchedAt ?? assert.fail());
      assert.ok(since?.some(({ orderHash }) => orderHash === signed.orderHash));
    },
  },
  {
    number: 33,
    title: 'trades positions of Protocol V2 under their own contract, and reads what it holds of them after a restart',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket(await bench.control.positionMarkets());
      await bench.control.quote(yes.tokenId, [['0.45', '6']], [['0.5', '10']]);
      const bought = await place(bench, order(market, yes, 'buy 10 at 0.5'));
      const { orderHash } = bought.signed;
      assert.deepEqual(bought.outcome, { kind: 'accepted', orderHash, status: 'matched' });
      const [fill] = await bench.trading.fillsOfOrder(orderHash, market.id);
      assert.deepEqual([fill?.tokenId, fill?.size], [yes.tokenId, TEN]);
      await bench.control.advanceClock(5_000);
      const { trading } = await bench.openVenue();
      assert.equal(await trading?.holding(yes.tokenId), TEN);
      const sold = await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
      assert.equal(sold.outcome.kind === 'accepted' && sold.outcome.status, 'matched');
      await bench.control.advanceClock(5_000);
      assert.equal(await bench.trading.holding(yes.tokenId), sharesFromText('4'));
    },
  },
];
