import assert from 'node:assert/strict';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { ConformanceCase } from './cases.ts';
import { chainOf, holdBlocks, nextBlock, pairsOf, settle, turn } from './turns.ts';

/** Dollars that come from elsewhere, or go there. */
export const TRANSFER_CASES: readonly ConformanceCase[] = [
  {
    number: 150,
    title:
      'tells of deposits and withdrawals by their transactions, settled once they are, and each to whoever asks on once',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      await settle(bench);
      const { through: start } = await chain.transfers((await chain.balances([])).block);
      const deposit = await bench.control.transfer('25.5');
      assert.deepEqual((await chain.transfers(start)).transfers, []);
      await nextBlock(bench);
      const [seen] = (await chain.transfers(start)).transfers;
      assert.ok(seen?.hash === deposit && !seen.isSettled && seen.amount === usdFromText('25.5'));
      const withdrawal = await bench.control.transfer('-3');
      await settle(bench);
      const { transfers, through } = await chain.transfers(start);
      assert.deepEqual(
        transfers.map(({ hash, amount, isSettled }) => [hash, amount, isSettled]),
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
      await turn(bench, [merge, { ...merge, kind: 'split' }]);
      const { transfers, through } = await chain.transfers(block);
      assert.deepEqual(transfers, []);
      assert.ok(through > block);
    },
  },
];
