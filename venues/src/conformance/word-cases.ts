import assert from 'node:assert/strict';
import { tickAt } from '@dutchbook/engine/market/tick.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place } from './orders.ts';

const LIFETIME_MS = 300_000;

/** Words of the port in which venues differ; `bench.words` says what this one has. */
export const WORD_CASES: readonly ConformanceCase[] = [
  {
    number: 14,
    title:
      'says of every market how its prices are stepped, what makers pay, from which pocket, and what it pays if it is called off',
    run: async ({ venue, words }) => {
      const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      for (const market of data) {
        const { tick, tickBands = [], makerFeeSchedule, feeChange, pocket, netsOutcomes, isProvisional } = market;
        assert.ok(words.hasTickBands || tickBands.length === 0);
        assert.ok(tickBands.every(({ from, to }) => from < to && from % tick === 0 && to % tick === 0));
        if (!words.hasTickBands)
          assert.equal(tickAt(market, priceFromText('0.01')), tickAt(market, priceFromText('0.5')));
        assert.ok(makerFeeSchedule !== null && makerFeeSchedule.step > 0);
        assert.ok(words.makersPay || makerFeeSchedule.rate === 0);
        assert.ok(words.announcesFees || feeChange === null);
        assert.ok(words.pockets.includes(pocket));
        assert.equal(netsOutcomes, words.netsOutcomes);
        assert.equal(isProvisional, undefined);
        assert.equal(market.calledOffPays, words.calledOffPays[market.negRisk ? 'ofOneEvent' : 'alone']);
      }
      assert.equal(
        data.some(({ tickBands = [] }) => tickBands.length > 0),
        words.hasTickBands,
      );
      assert.equal(
        data.some(({ makerFeeSchedule }) => (makerFeeSchedule?.rate ?? 0) > 0),
        words.makersPay,
      );
    },
  },
  {
    number: 15,
    title: 'says what each outcome of a resolved market pays, together a dollar, and whether that is final',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.resolve(market.id, no.outcome);
      const { catalogue } = await bench.openVenue();
      const read = (await catalogue.marketsById([market.id])).get(market.id);
      const payouts = new Map(read?.outcomes.map(({ tokenId, resolvedValue }) => [tokenId, resolvedValue]));
      assert.deepEqual([payouts.get(yes.tokenId), payouts.get(no.tokenId)], [0, 1_000_000]);
      assert.equal(read?.isProvisional, undefined);
    },
  },
  {
    number: 16,
    title: 'says what a market will take in fees, and from when, where the venue announces that',
    run: async (bench) => {
      const { market } = await bench.freshMarket();
      const { feeSchedule, makerFeeSchedule } = market;
      const from = instantFromMs((await bench.venue.serverTime()) + LIFETIME_MS);
      await bench.control.waiveFees(market.id, from);
      const { catalogue } = await bench.openVenue();
      const read = (await catalogue.marketsById([market.id])).get(market.id);
      const waived = bench.words.announcesFees;
      assert.deepEqual(read?.feeChange, waived ? { from, feeSchedule, makerFeeSchedule } : null);
      assert.equal(read?.feeSchedule?.rate, waived ? 0 : feeSchedule?.rate);
      assert.equal(read?.makerFeeSchedule?.rate, waived ? 0 : makerFeeSchedule?.rate);
    },
  },
  {
    number: 37,
    title: 'refuses an order that may only rest and would match, and rests one that does not',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      const crossing = await place(bench, { ...order(market, yes, 'buy 10 at 0.5'), postOnly: true });
      assert.equal(crossing.outcome.kind, 'rejected');
      const { signed, outcome } = await place(bench, { ...order(market, yes, 'buy 10 at 0.4'), postOnly: true });
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'open');
      assert.deepEqual(await bench.trading.fillsOfOrder(signed.orderHash, market.id, null), []);
      await bench.trading.cancelOrders([signed.orderHash]);
    },
  },
  {
    number: 38,
    title: 'takes an order off the book when it expires, and refuses to sign one that could not rest',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const expiresAt = instantFromMs((await bench.venue.serverTime()) + LIFETIME_MS);
      const { signed, outcome } = await place(bench, { ...order(market, yes, 'buy 10 at 0.3'), expiresAt });
      assert.equal(outcome.kind === 'accepted' && outcome.status, 'open');
      await bench.control.takeAnyTime();
      await bench.control.advanceClock(LIFETIME_MS);
      const lookup = await bench.trading.lookupOrder(signed.orderHash);
      assert.equal(lookup.kind === 'found' && lookup.order.status, 'canceled');
      const killed = { ...order(market, yes, 'buy 10 at 0.3', 'kill'), expiresAt };
      await assert.rejects(bench.trading.signOrder(killed));
    },
  },
  {
    number: 39,
    title: 'knows an order by our name, and says what it calls it where that is another',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const { signed, outcome } = await place(bench, order(market, yes, 'buy 10 at 0.3'));
      assert.ok(outcome.kind === 'accepted' && outcome.orderHash === signed.orderHash);
      const lookup = await bench.trading.lookupOrder(signed.orderHash, market.id);
      assert.ok(lookup.kind === 'found' && lookup.order.orderHash === signed.orderHash);
      assert.equal(lookup.order.venueName, outcome.venueName);
      assert.equal(outcome.venueName !== undefined, bench.words.renamesOrders);
      await bench.trading.cancelOrders([signed.orderHash]);
    },
  },
  {
    number: 86,
    title: 'says whether shares of the other outcome net with those held',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [['0.5', '100']], [['0.52', '100']]);
      await place(bench, order(market, yes, 'buy 10 at 0.52'));
      await place(bench, order(market, no, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      await bench.trading.refreshHoldings([yes.tokenId, no.tokenId]);
      const held = await Promise.all([yes, no].map(({ tokenId }) => bench.trading.holding(tokenId)));
      const ten = sharesFromText('10');
      assert.deepEqual(
        held.map(({ shares }) => shares),
        market.netsOutcomes ? [SHARES_ZERO, SHARES_ZERO] : [ten, ten],
      );
    },
  },
  {
    number: 87,
    title: 'says in which pockets the free cash lies, together all of it',
    run: async (bench) => {
      const { cash, pockets } = await bench.trading.cashBalance();
      assert.deepEqual([...(pockets?.keys() ?? [])], bench.words.pockets);
      assert.equal([...(pockets?.values() ?? [])].reduce(addUsd, USD_ZERO), cash);
    },
  },
];
