import assert from 'node:assert/strict';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '../venue.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import { order, place } from './orders.ts';

/** What the venue shows of a position, in shares. */
const SHOWN_FROM = sharesFromText('0.1');

/** What the account holds, by the venue's own word. */
export const POSITION_CASES: readonly ConformanceCase[] = [
  {
    number: 80,
    title: 'holds what was bought, by market, token and outcome',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.5', '100']]);
      await place(bench, order(market, yes, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      assert.deepEqual(await positionIn(bench, yes.tokenId), {
        marketId: market.id,
        tokenId: yes.tokenId,
        outcome: yes.outcome,
        shares: sharesFromText('10'),
        redeemable: false,
        resolvedValue: null,
      });
    },
  },
  {
    number: 88,
    title: 'holds what was bought of the second outcome as shares of that outcome',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.quote(no.tokenId, [], [['0.5', '100']]);
      await place(bench, order(market, no, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      const ten = sharesFromText('10');
      const held = await Promise.all([yes, no].map(({ tokenId }) => bench.trading.holding(tokenId)));
      assert.deepEqual(
        held.map(({ shares }) => shares),
        [0, ten],
      );
      assert.equal((await positionIn(bench, no.tokenId))?.shares, ten);
      assert.equal(await positionIn(bench, yes.tokenId), undefined);
    },
  },
  {
    number: 81,
    title: 'holds what a sale has left, and nothing of a token that was sold whole',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [['0.45', '100']], [['0.5', '100']]);
      await place(bench, order(market, yes, 'buy 10 at 0.5'));
      await bench.control.advanceClock(5_000);
      await place(bench, order(market, yes, 'sell 6 at 0.45', 'kill'));
      await bench.control.advanceClock(5_000);
      assert.equal((await positionIn(bench, yes.tokenId))?.shares, sharesFromText('4'));
      await place(bench, order(market, yes, 'sell 4 at 0.45', 'kill'));
      await bench.control.advanceClock(5_000);
      assert.equal(await positionIn(bench, yes.tokenId), undefined);
    },
  },
  {
    number: 82,
    title: 'holds what came from elsewhere, to the millionth of a share',
    run: async (bench) => {
      const { market, yes, no } = await bench.freshMarket();
      await bench.control.split(market.id, '12.345678');
      for (const { tokenId } of [yes, no])
        assert.equal((await positionIn(bench, tokenId))?.shares, sharesFromText('12.345678'));
    },
  },
  {
    number: 83,
    title: 'says of a resolved market that its shares can be redeemed, and what they are worth: one, nothing or a half',
    run: async (bench) => {
      const { data } = await bench.venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      const ids = data.filter(({ negRisk }) => !negRisk).map(({ id }) => id);
      const won = await bench.freshMarket();
      const halved = await bench.freshMarket(ids);
      for (const { market } of [won, halved]) await bench.control.split(market.id, '5');
      await bench.control.resolve(won.market.id, won.yes.outcome);
      await bench.control.resolve(halved.market.id, 'half');
      const worth = async (tokenId: TokenId) => {
        const position = await positionIn(bench, tokenId);
        return [position?.shares, position?.redeemable, position?.resolvedValue];
      };
      const five = sharesFromText('5');
      assert.deepEqual(await worth(won.yes.tokenId), [five, true, 1_000_000]);
      assert.deepEqual(await worth(won.no.tokenId), [five, true, 0]);
      for (const { tokenId } of [halved.yes, halved.no]) assert.deepEqual(await worth(tokenId), [five, true, 500_000]);
    },
  },
  {
    number: 84,
    title: 'reads every page, however short: all that is held, each token once, and nothing else',
    run: async (bench) => {
      for (let count = 0; count < 3; count += 1) {
        const { market } = await bench.freshMarket();
        await bench.control.split(market.id, String(3 + count));
      }
      await bench.control.advanceClock(5_000);
      const { tokens } = (await bench.control.state()).account;
      const held = Object.entries(tokens).map(([tokenId, size]) => [tokenId, sharesFromText(size)] as const);
      await bench.control.fault('positions_short_page', { times: 1_000 });
      const read = (await bench.trading.positions('trading')).map(({ tokenId, shares }) => [tokenId, shares] as const);
      assert.ok(read.length >= 6);
      assert.equal(new Set(read.map(([tokenId]) => tokenId)).size, read.length);
      assert.deepEqual(new Map(read), new Map(held.filter(([, shares]) => shares >= SHOWN_FROM)));
    },
  },
  {
    number: 85,
    title:
      'says that the venue did not answer where it answers with an error, with garbage or not at all, and never with less',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.split(market.id, '7');
      const { trading } = await bench.openVenue({ requestTimeoutMs: 2_000 });
      assert.ok(trading);
      for (const [name, details] of [
        ['positions_5xx', {}],
        ['positions_garbage', {}],
        ['positions_hang', { ms: 30_000 }],
      ] as const) {
        await bench.control.fault(name, details);
        await assert.rejects(trading.positions('trading'), VenueUnavailable);
        const again = await trading.positions('trading');
        assert.equal(again.find(({ tokenId }) => tokenId === yes.tokenId)?.shares, sharesFromText('7'));
      }
    },
  },
];

async function positionIn(bench: Bench, tokenId: TokenId) {
  return (await bench.trading.positions('trading')).find((position) => position.tokenId === tokenId);
}
