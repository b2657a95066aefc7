import assert from 'node:assert/strict';
import type { Market, MarketOutcome } from '@dutchbook/engine/market/market.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import {
  type ChainApproval,
  ConversionRefused,
  type ConversionRequest,
  type PreparedConversion,
} from '../venue-chain.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import {
  allMarkets,
  chainOf,
  changes,
  convert,
  holdBlocks,
  isMember,
  makeFinal,
  pairsOf,
  sentWhile,
  WHOLE_MEMBERS,
} from './conversions.ts';
import { convertUnderFaults } from './faulted-conversions.ts';

const TEN = sharesFromText('10');
const SHARES = 10_000_000;

/** Converting shares into dollars on the chain, with whatever wallet the account has. */
export const CONVERSION_CASES: readonly ConformanceCase[] = [
  {
    number: 100,
    title: 'merges a pair into its dollar: cash and shares change by exactly that, once it is confirmed',
    run: async (bench) => {
      await holdBlocks(bench);
      const { yes, no, merge } = await pairsOf(bench, '10');
      const changed = await changes(bench, [yes, no], async () => {
        const [end] = await convert(bench, [merge]);
        assert.equal(end?.kind, 'confirmed');
      });
      assert.deepEqual(changed, { cash: SHARES, shares: [-SHARES, -SHARES] });
    },
  },
  {
    number: 147,
    title: 'the venue spends and sells by what was converted once it is asked to look',
    run: async (bench) => {
      await holdBlocks(bench);
      const { trading } = bench;
      const { yes, no, merge } = await pairsOf(bench, '10');
      // Cases before this one have converted shares as well.
      await trading.refreshHoldings([]);
      const cash = (await trading.cashBalance()).cash;
      assert.equal((await trading.holding(yes.tokenId)).shares, SHARES);
      await convert(bench, [merge]);
      await trading.refreshHoldings([yes.tokenId, no.tokenId]);
      assert.equal((await trading.cashBalance()).cash - cash, SHARES);
      assert.equal((await trading.holding(yes.tokenId)).shares, 0);
    },
  },
  {
    number: 101,
    title:
      'what is prepared is signed and sends nothing, has its id before it is sent, and is carried out when another process sends it',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const { yes, merge } = await pairsOf(bench, '10');
      const prepared = await chain.prepare([merge]);
      assert.match(prepared.id, /^0x[0-9a-f]{64}$/);
      // A Safe whose nonce is not used, and whose relayer does not know of it.
      assert.ok(['unknown', 'given_up'].includes((await chain.lookUp(prepared)).kind));
      await makeFinal(bench);
      assert.equal((await chain.balances([yes.tokenId])).shares.get(yes.tokenId), SHARES);
      const stored: PreparedConversion = JSON.parse(JSON.stringify(prepared));
      const again = await bench.openVenue();
      const sent = await sentWhile(bench, async () => {
        assert.equal((await again.chain?.submit(stored))?.kind, 'sent');
        await makeFinal(bench);
      });
      assert.equal(sent, 1);
      assert.equal((await chain.lookUp(stored)).kind, 'confirmed');
    },
  },
  {
    number: 102,
    title: 'converts NO of the members that are named, whatever the order of the list, and keeps to the fee',
    run: async (bench) => {
      await holdBlocks(bench);
      const members = await membersOf(
        bench,
        ({ id, event }) => event?.negRisk === true && !isMember(id) && event.marketIds.length === WHOLE_MEMBERS,
      );
      const [first] = members;
      assert.ok(first);
      await bench.control.setFeeBips(first.id, 100);
      assert.equal(await chainOf(bench).feeBips(first.id), 100);
      const converted = [members[3], members[1]].filter((member) => member !== undefined);
      for (const { id } of converted) await bench.control.split(id, '10');
      const tokens = members.flatMap(({ outcomes }) => outcomes);
      const request: ConversionRequest = { kind: 'convert', marketIds: converted.map(({ id }) => id), shares: TEN };
      const { cash, shares } = await changes(bench, tokens, async () => {
        const [end] = await convert(bench, [request]);
        assert.equal(end?.kind, 'confirmed');
      });
      assert.equal(cash, 9_900_000);
      const byMember = members.map((_, place) => shares.slice(2 * place, 2 * place + 2));
      assert.deepEqual(
        byMember,
        members.map((member) => (converted.includes(member) ? [0, -SHARES] : [9_900_000, 0])),
      );
    },
  },
  {
    number: 103,
    title: 'merges the whole of an event of Protocol V2, and converts one NO of it into YES of every other',
    run: async (bench) => {
      await holdBlocks(bench);
      const members = await membersOf(bench, ({ id, event }) => event?.negRisk === true && isMember(id));
      for (const { id } of members) await bench.control.split(id, '10');
      const [first] = members;
      assert.ok(first && members.length > 2);
      assert.equal(await chainOf(bench).feeBips(first.id), 0);
      const tokens = members.flatMap(({ outcomes }) => outcomes);
      const whole = await changes(bench, tokens, () =>
        convert(bench, [{ kind: 'horizontal_merge', marketIds: members.map(({ id }) => id), shares: TEN }]),
      );
      assert.deepEqual(whole, { cash: SHARES, shares: members.flatMap(() => [-SHARES, 0]) });
      const converted = await changes(bench, tokens, () =>
        convert(bench, [{ kind: 'convert', marketIds: [first.id], shares: TEN }]),
      );
      const others = members.slice(1).flatMap(() => [SHARES, 0]);
      assert.deepEqual(converted, { cash: 0, shares: [0, -SHARES, ...others] });
      const pairs = await changes(bench, tokens, () =>
        convert(
          bench,
          members.slice(1).map(({ id }): ConversionRequest => ({ kind: 'merge', marketIds: [id], shares: TEN })),
        ),
      );
      assert.equal(pairs.cash, (members.length - 1) * SHARES);
    },
  },
  {
    number: 148,
    title:
      'splits dollars into pairs of either protocol where the cash is there and allowed, and signs nothing elsewhere',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const positions = new Set(await bench.control.positionMarkets());
      const all = await allMarkets(bench);
      const isNewer = ({ id }: Market) => positions.has(id) && !isMember(id);
      const isOlder = ({ id, negRisk }: Market, isNegRisk: boolean) => !positions.has(id) && negRisk === isNegRisk;
      for (const market of [
        all.find((one) => isOlder(one, false)),
        all.find((one) => isOlder(one, true)),
        all.find(isNewer),
      ]) {
        assert.ok(market);
        const split: ConversionRequest = { kind: 'split', marketIds: [market.id], shares: TEN };
        const changed = await changes(bench, market.outcomes, async () => {
          const [end] = await convert(bench, [split]);
          assert.equal(end?.kind, 'confirmed');
        });
        assert.deepEqual(changed, { cash: -SHARES, shares: [SHARES, SHARES] });
        await convert(bench, [{ ...split, kind: 'merge' }]);
      }
      const { cash } = await chain.balances([]);
      const beyond = {
        kind: 'split' as const,
        marketIds: [all.find(isNewer)?.id ?? ''],
        shares: (cash + 1) as typeof TEN,
      };
      await assert.rejects(chain.prepare([beyond]), ConversionRefused);
      const router = (await chain.approvals()).find(({ asset, name }) => asset === 'cash' && /router/.test(name));
      assert.ok(router?.purpose === 'conversion');
      const { contract, holder } = router;
      await convert(bench, [{ kind: 'approve', contract, holder, isAllowed: false }]);
      await assert.rejects(chain.prepare([{ ...beyond, shares: TEN }]), ConversionRefused);
      await convert(bench, [{ kind: 'approve', contract, holder, isAllowed: true }]);
    },
  },
  {
    number: 149,
    title: 'splits a dollar into YES of every member of an event of Protocol V2, which merge back into it',
    run: async (bench) => {
      await holdBlocks(bench);
      const members = await membersOf(bench, ({ id, event }) => event?.negRisk === true && isMember(id));
      const [first] = members;
      assert.ok(first);
      const tokens = members.flatMap(({ outcomes }) => outcomes);
      const marketIds = [first.id];
      const split = await changes(bench, tokens, () =>
        convert(bench, [{ kind: 'horizontal_split', marketIds, shares: TEN }]),
      );
      assert.deepEqual(split, { cash: -SHARES, shares: members.flatMap(() => [SHARES, 0]) });
      const back = await changes(bench, tokens, () =>
        convert(bench, [{ kind: 'horizontal_merge', marketIds, shares: TEN }]),
      );
      assert.deepEqual(back, { cash: SHARES, shares: members.flatMap(() => [-SHARES, 0]) });
    },
  },
  {
    number: 104,
    title: 'merges above a line with below a higher one into a dollar and the ranges between',
    run: async (bench) => {
      await holdBlocks(bench);
      const all = (await allMarkets(bench)).filter(({ id }) => isMember(id) && id.startsWith('0x04'));
      const lines = all.filter(({ id }) => /80..00$/.test(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
      const [low, high] = lines;
      const between = all.find(({ id }) => id === `${low?.id.slice(0, -6)}0001${low?.id.slice(-2)}`);
      assert.ok(low && high && between);
      for (const { id } of [low, high]) await bench.control.split(id, '10');
      const tokens = [low.outcomes[0], high.outcomes[1], between.outcomes[0]].filter((one) => one !== undefined);
      const changed = await changes(bench, tokens, () =>
        convert(bench, [{ kind: 'directional_merge', marketIds: [low.id, high.id], shares: TEN }]),
      );
      assert.deepEqual(changed, { cash: SHARES, shares: [-SHARES, -SHARES, SHARES] });
    },
  },
  {
    number: 105,
    title:
      'redeems what resolved markets pay: all of a winner, half of a market that ended in half, of either protocol',
    run: async (bench) => {
      await holdBlocks(bench);
      const positions = new Set(await bench.control.positionMarkets());
      const lone = (await allMarkets(bench)).filter(({ negRisk, event }) => !negRisk && event?.negRisk !== true);
      const old = lone.filter(({ id }) => !positions.has(id)).map(({ id }) => id);
      const won = await pairsOf(bench, '10', old);
      const halved = await pairsOf(bench, '10', old);
      const newer = await pairsOf(
        bench,
        '10',
        [...positions].filter((id) => !isMember(id)),
      );
      await bench.control.resolve(won.market.id, won.no.outcome);
      await bench.control.resolve(halved.market.id, 'half');
      await bench.control.resolve(newer.market.id, newer.yes.outcome);
      const redeem = (market: Market, { tokenId }: MarketOutcome): ConversionRequest => ({
        kind: 'redeem',
        marketId: market.id,
        tokenId,
        shares: TEN,
      });
      const { cash } = await changes(bench, [], async () => {
        const ends = await convert(bench, [
          redeem(won.market, won.no),
          redeem(halved.market, halved.yes),
          redeem(newer.market, newer.yes),
        ]);
        assert.ok(ends.every(({ kind }) => kind === 'confirmed'));
      });
      assert.equal(cash, 3 * SHARES);
    },
  },
  {
    number: 106,
    title: 'signs nothing that the chain would refuse or that makes no sense, and says why',
    run: async (bench) => {
      const { merge, market, yes } = await pairsOf(bench, '1');
      const chain = chainOf(bench);
      await assert.rejects(chain.prepare([{ ...merge, shares: TEN }]), isRefusal(/SafeMath: subtraction overflow/));
      await assert.rejects(
        chain.prepare([{ kind: 'redeem', marketId: market.id, tokenId: yes.tokenId, shares: TEN }]),
        isRefusal(/result for condition not received yet/),
      );
      await assert.rejects(chain.prepare([]), ConversionRefused);
      await assert.rejects(
        chain.prepare([{ kind: 'merge', marketIds: [`0x${'12'.repeat(32)}`], shares: TEN }]),
        isRefusal(/does not know the market/),
      );
    },
  },
  {
    number: 107,
    title: 'says which contract may move what, also a retired one, takes it back, and gives it to those in use',
    run: async (bench) => {
      const chain = chainOf(bench);
      const given = await chain.approvals();
      const needed = given.filter(({ purpose }) => purpose !== null);
      assert.deepEqual(new Set(needed.map(({ asset }) => asset)), new Set(['cash', 'shares']));
      assert.ok(needed.every(({ amount }) => amount > 0));
      const retired = given.filter(({ purpose }) => purpose === null);
      assert.equal(retired.length, 6);
      await holdBlocks(bench);
      const chosen = [needed.find(({ asset }) => asset === 'cash'), needed.findLast(({ asset }) => asset === 'shares')];
      for (const approval of [...chosen, ...retired.slice(0, 2)]) {
        assert.ok(approval);
        const { contract, holder, amount } = approval;
        const now = async () => (await chain.approvals()).find((one) => isSameApproval(one, approval))?.amount;
        await convert(bench, [{ kind: 'approve', contract, holder, isAllowed: false }]);
        assert.equal(await now(), 0);
        const again: ConversionRequest = { kind: 'approve', contract, holder, isAllowed: true };
        if (approval.purpose === null) {
          await assert.rejects(chain.prepare([again]), isRefusal(/is retired/));
          continue;
        }
        await convert(bench, [again]);
        assert.equal(await now(), amount);
      }
    },
  },
  {
    number: 108,
    title: 'reads balances from the chain, also while the venue still tells older ones',
    run: async (bench) => {
      await holdBlocks(bench);
      const { yes, no, merge } = await pairsOf(bench, '10');
      await bench.trading.holding(yes.tokenId);
      await bench.control.fault('stale_balance', { times: 100 });
      await convert(bench, [{ ...merge, shares: sharesFromText('4') }]);
      const { block, shares } = await chainOf(bench).balances([yes.tokenId, no.tokenId, '12345']);
      assert.deepEqual([...shares.values()], [6_000_000, 6_000_000, 0]);
      assert.equal(block, (await bench.control.chain()).block);
      assert.equal((await bench.trading.holding(yes.tokenId)).shares, SHARES);
    },
  },
];

/** For a wallet whose signatures end by themselves: by their deadline, or by the next nonce of the key. */
export const FAULTED_CONVERSIONS: ConformanceCase = {
  number: 109,
  title: 'any faults, alone and together: every merge ends proven, and what was confirmed is what is there',
  run: convertUnderFaults,
};

/** The members of the first event of a kind. */
async function membersOf(bench: Bench, isMeant: (market: Market) => boolean): Promise<Market[]> {
  const all = await allMarkets(bench);
  const event = all.find(isMeant)?.event;
  const members = all.filter(({ id }) => event?.marketIds.includes(id));
  assert.ok(members.length > 2, 'the exchange has such an event');
  return members;
}

function isSameApproval(one: ChainApproval, other: ChainApproval): boolean {
  return one.contract === other.contract && one.holder === other.holder;
}

function isRefusal(reason: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ConversionRefused && reason.test(error.message);
}
