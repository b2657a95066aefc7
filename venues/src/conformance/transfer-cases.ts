import assert from 'node:assert/strict';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { ConformanceCase } from './cases.ts';
import { chainOf, convert, holdBlocks, makeFinal, nextBlock, pairsOf } from './conversions.ts';

/** Dollars that come from elsewhere, or go there. */
export const TRANSFER_CASES: readonly ConformanceCase[] = [
  {
    number: 150,
    title:
      'reports deposits and withdrawals by their transactions, final once they are, and each once to a caller that reads on',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      await makeFinal(bench);
      const { through: start } = await chain.transfers((await chain.balances([])).block);
      const deposit = await bench.control.transfer('25.5');
      assert.deepEqual((await chain.transfers(start)).transfers, []);
      await nextBlock(bench);
      const [seen] = (await chain.transfers(start)).transfers;
      assert.ok(seen?.hash === deposit && !seen.isFinal && seen.amount === usdFromText('25.5'));
      const withdrawal = await bench.control.transfer('-3');
      await makeFinal(bench);
      const { transfers, through } = await chain.transfers(start);
      assert.deepEqual(
        transfers.map(({ hash, amount, isFinal }) => [hash, amount, isFinal]),
        [
          [deposit, usdFromText('25.5'), true],
          [withdrawal, usdFromText('-3'), true],
        ],
      );
      assert.deepEqual((await chain.transfers(through)).transfers, []);
    },
  },
  {
    number: 151,
    title: 'tells of no transfer where dollars become shares, or shares dollars',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const { block } = await chain.balances([]);
      const { merge } = await pairsOf(bench, '10');
      await convert(bench, [merge, { ...merge, kind: 'split' }]);
      const { transfers, through } = await chain.transfers(block);
      assert.deepEqual(transfers, []);
      assert.ok(through > block);
    },
  },
  {
    number: 152,
    title: 'tells who sent dollars that came: income of the venue, a contract of it, a stranger, or a deposit',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      await makeFinal(bench);
      const { block } = await chain.balances([]);
      for (const from of ['deposit', 'reward', 'rebate', 'payout', 'unknown']) await bench.control.transfer('1', from);
      await bench.control.transfer('-1');
      await makeFinal(bench);
      const { transfers, taken } = await chain.transfers(block);
      assert.deepEqual(transfers.map(({ source }) => source ?? 'left').toSorted(), [
        ...['deposit', 'left', 'payout', 'rebate', 'reward', 'unknown'],
      ]);
      assert.ok(transfers.every(({ party }) => /^0x[0-9a-f]{40}$/.test(party ?? '')));
      assert.deepEqual(taken, []);
    },
  },
  {
    number: 153,
    title:
      'tells which shares contracts of the venue took by themselves, and what came with them, after them, or never',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      for (const [pays, came] of [
        ['together', [10_000_000, null]],
        ['apart', [0, 10_000_000]],
        ['never', [0, null]],
      ] as const) {
        const { market, yes } = await pairsOf(bench, '10');
        await makeFinal(bench);
        const { block } = await chain.balances([]);
        await nextBlock(bench);
        await bench.control.autoRedeem(true, pays);
        await bench.control.resolve(market.id, yes.outcome);
        await makeFinal(bench);
        await bench.control.autoRedeem(false);
        const { transfers, taken } = await chain.transfers(block);
        const [one] = taken;
        assert.equal(one?.shares.get(yes.tokenId), 10_000_000);
        assert.deepEqual([one?.cash, transfers[0]?.amount ?? null], came);
        assert.deepEqual(
          transfers.map(({ source }) => source),
          came[1] === null ? [] : ['payout'],
        );
      }
    },
  },
];
