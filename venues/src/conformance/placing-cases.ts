import assert from 'node:assert/strict';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place, unnamed } from './orders.ts';

const TEN = sharesFromText('10');

/** Orders on a venue that behaves. */
const UNLIMITED = String(2n ** 256n - 1n);

export const PLACING_CASES: readonly ConformanceCase[] = [
  {
    number: 20,
    title: 'names the order before it is sent, places it and reports its fill to the micro-unit',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.55', '100']]);
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.56'));
      assert.deepEqual(unnamed(outcome), { kind: 'accepted', orderHash: signed.orderHash, status: 'matched' });
      const [fill, ...more] = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
      assert.ok(fill && more.length === 0 && market.feeSchedule !== null);
      const price = priceFromText('0.55');
      assert.deepEqual(
        [fill.orderHash, fill.tokenId, fill.side, fill.price, fill.size, fill.fee],
        [signed.orderHash, yes.tokenId, 'buy', price, TEN, takerFee(TEN, price, market.feeSchedule)],
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
      assert.deepEqual(unnamed(outcome), { kind: 'accepted', orderHash: signed.orderHash, status: 'open' });
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
      const [fill] = await bench.trading.fillsOfOrder(better.signed.orderHash, market.id, null);
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
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, TEN);
      const { signed, outcome } = await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'matched');
      const [fill] = await bench.trading.fillsOfOrder(signed.orderHash, market.id, null);
      assert.deepEqual([fill?.side, fill?.size], ['sell', sharesFromText('6')]);
      await bench.control.advanceClock(5_000);
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, sharesFromText('4'));
    },
  },
  {
    number: 26,
    title: 'reports a fill that rested as ours, without a fee, for the outcome we ordered',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      const resting = await place(bench, order(market, yes, 'buy 10 at 0.4'));
      await place(bench, order(market, no, 'buy 10 at 0.6'));
      const [fill] = await bench.trading.fillsOfOrder(resting.signed.orderHash, market.id, null);
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
      assert.equal(small.outcome.kind, bench.words.restsAnySize ? 'accepted' : 'rejected');
      if (small.outcome.kind === 'rejected') assert.match(small.outcome.reason, /lower than the minimum/);
      const rich = await place(bench, order(market, yes, 'buy 1000000 at 0.5'));
      assert.match(rich.outcome.kind === 'rejected' ? rich.outcome.reason : '', bench.words.noMoney);
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
      const requests = [order(market, yes, 'buy 10 at 0.5'), order(market, no, 'buy 1000000 at 0.2')];
      for (let count = 0; count < 18; count++) requests.push(order(market, no, 'buy 5 at 0.1'));
      const signed = await Promise.all(requests.map((request) => bench.trading.signOrder(request)));
      const outcomes = await bench.trading.postOrders(signed);
      const reported = outcomes.map((one) => (one.kind === 'accepted' ? one.status : one.kind));
      assert.deepEqual(reported, ['matched', 'rejected', ...Array.from({ length: 18 }, () => 'open')]);
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
      const before = (await bench.trading.cashBalance()).cash;
      const { signed } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      const reserved = before - (await bench.trading.cashBalance()).cash;
      const makersFee = bench.words.makersPay ? usdFromText('0.2') : 0;
      assert.ok(reserved >= usdFromText('3') && reserved <= usdFromText('3') + makersFee);
      await bench.trading.cancelOrders([signed.orderHash]);
      assert.equal((await bench.trading.cashBalance()).cash, before);
    },
  },
  {
    number: 69,
    title: 'says what the contract of a market may move, and has orders refused that it may not',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const allowed = async () => (await bench.trading.cashBalance()).allowances?.get(market.settledBy);
      assert.ok(Number(await allowed()) > usdFromText('1000'));
      await bench.control.allow(market.settledBy, 'COLLATERAL', '2900000');
      assert.equal(await allowed(), usdFromText('2.9'));
      const { outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.deepEqual(outcome, { kind: 'rejected', reason: 'not enough balance / allowance' });
      await bench.control.allow(market.settledBy, 'COLLATERAL', UNLIMITED);
      await bench.control.allow(market.settledBy, 'CONDITIONAL', '0');
      assert.equal((await bench.trading.holding(yes.tokenId)).allowances?.get(market.settledBy), 0);
      await bench.control.allow(market.settledBy, 'CONDITIONAL', UNLIMITED);
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
      const fills = await trading?.fillsOfOrder(signed.orderHash, market.id, null);
      assert.equal(fills?.length, 1);
      const since = await trading?.fillsSince(fills[0]?.matchedAt ?? assert.fail());
      assert.ok(since?.fills.some(({ orderHash }) => orderHash === signed.orderHash));
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
      assert.deepEqual(unnamed(bought.outcome), { kind: 'accepted', orderHash, status: 'matched' });
      const [fill] = await bench.trading.fillsOfOrder(orderHash, market.id, null);
      assert.deepEqual([fill?.tokenId, fill?.size], [yes.tokenId, TEN]);
      await bench.control.advanceClock(5_000);
      const { trading } = await bench.openVenue();
      assert.equal((await trading?.holding(yes.tokenId))?.shares, TEN);
      const sold = await place(bench, order(market, yes, 'sell 10 at 0.45', 'kill'));
      assert.equal(sold.outcome.kind === 'accepted' && sold.outcome.status, 'matched');
      await bench.control.advanceClock(5_000);
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, sharesFromText('4'));
    },
  },
  {
    number: 34,
    title: 'orders on every grid the venue has are taken at their price, and one between two prices is not signed',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      for (const [tick, price, between] of [
        ['0.005', '0.305', '0.302'],
        ['0.0025', '0.3025', '0.3015'],
        ['0.001', '0.301', '0.3025'],
        ['0.0001', '0.3003', '0.30031'],
      ] as const) {
        const onGrid = { ...market, tick: tickFromText(tick) };
        await bench.control.setTick(yes.tokenId, tick);
        const { signed, outcome } = await place(bench, order(onGrid, yes, `buy 10 at ${price}`));
        assert.deepEqual(unnamed(outcome), { kind: 'accepted', orderHash: signed.orderHash, status: 'open' });
        const resting = (await bench.trading.openOrders()).find(({ orderHash }) => orderHash === signed.orderHash);
        assert.equal(resting?.price, priceFromText(price));
        await assert.rejects(bench.trading.signOrder(order(onGrid, yes, `buy 10 at ${between}`)));
      }
    },
  },
  {
    number: 35,
    title: 'an order that meets several others is one fill, which cost what the account paid, to the micro-dollar',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const asks = levels('3.33 at 0.41', '3.33 at 0.43', '3.34 at 0.47');
      await bench.control.quote(yes.tokenId, [], asks);
      const before = await purse(bench);
      const buy = await place(bench, order(market, yes, 'buy 10 at 0.47'));
      const [bought, ...more] = await bench.trading.fillsOfOrder(buy.signed.orderHash, market.id, null);
      const schedule = market.feeSchedule;
      assert.ok(bought && schedule !== null && more.length === 0);
      const fees = asks.map(([price, size]) => takerFee(sharesFromText(size), priceFromText(price), schedule));
      assert.deepEqual([bought.size, bought.cost], [TEN, usdFromText('4.367')]);
      assert.equal(
        bought.fee,
        fees.reduce((sum, fee) => sum + fee, 0),
      );
      assert.equal(bought.price, priceFromText('0.4367'));
      await bench.control.advanceClock(5_000);
      const between = await purse(bench);
      assert.equal(before - between, bought.cost + bought.fee);

      await bench.control.quote(yes.tokenId, levels('4 at 0.39', '6 at 0.36'), []);
      const sale = await place(bench, order(market, yes, 'sell 10 at 0.36', 'kill'));
      const [sold] = await bench.trading.fillsOfOrder(sale.signed.orderHash, market.id, null);
      assert.deepEqual([sold?.size, sold?.cost, sold?.price], [TEN, usdFromText('3.72'), priceFromText('0.372')]);
      await bench.control.advanceClock(5_000);
      assert.equal((await purse(bench)) - between, (sold?.cost ?? 0) - (sold?.fee ?? 0));
    },
  },
  {
    number: 36,
    title: 'buys fewer shares than may rest at once, for the given dollars, or nothing',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const [three, four] = [sharesFromText('3'), sharesFromText('4')];
      assert.ok(three < market.minOrderSize);
      const spending = (text: Parameters<typeof order>[2], dollars: string) =>
        place(bench, order(market, yes, text, 'kill', dollars));
      await bench.control.quote(yes.tokenId, [], levels('2 at 0.46', '1 at 0.48'));
      const whole = await spending('buy 3 at 0.48', '1.4');
      assert.deepEqual(unnamed(whole.outcome), {
        kind: 'accepted',
        orderHash: whole.signed.orderHash,
        status: 'matched',
      });
      const [fill] = await bench.trading.fillsOfOrder(whole.signed.orderHash, market.id, null);
      assert.deepEqual([fill?.size, fill?.cost], [three, usdFromText('1.4')]);

      await bench.control.quote(yes.tokenId, [], levels('10 at 0.36'));
      const better = await spending('buy 3 at 0.48', '1.44');
      const [more] = await bench.trading.fillsOfOrder(better.signed.orderHash, market.id, null);
      assert.deepEqual([more?.size, more?.cost], [four, usdFromText('1.44')]);

      await bench.control.quote(yes.tokenId, [], levels('1 at 0.48'));
      const part = await spending('buy 3 at 0.48', '1.44');
      const lookup = await bench.trading.lookupOrder(part.signed.orderHash);
      assert.ok(lookup.kind === 'found' && lookup.order.status !== 'open');
      assert.equal(lookup.order.matchedSize, sharesFromText('1'));
      assert.ok((await bench.trading.openOrders()).every(({ tokenId }) => tokenId !== yes.tokenId));

      const unmatched = await spending('buy 3 at 0.48', '1.44');
      assert.equal(unmatched.outcome.kind, 'rejected');
      const small = await spending('buy 2 at 0.48', '0.96');
      assert.match(small.outcome.kind === 'rejected' ? small.outcome.reason : '', /min size: \$1/);
    },
  },
];

function levels(...texts: string[]): [string, string][] {
  return texts.map((text) => {
    const [size = '', price = ''] = text.split(' at ');
    return [price, size];
  });
}

async function purse(bench: Bench): Promise<Usd> {
  return usdFromText((await bench.control.state()).account.usd);
}
