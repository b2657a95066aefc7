import assert from 'node:assert/strict';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { MergeRequest } from '../venue-chain.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import {
  chainOf,
  changes,
  holdBlocks,
  makeFinal,
  nextBlock,
  pairsOf,
  sentWhile,
  submit,
  verdict,
} from './conversions.ts';

const SHARES = 10_000_000;
const MERGES = 12;

/** Batches that a relayer carries to the chain: its word counts only where the chain does not contradict it. */
export const RELAYED_CHAIN_CASES: readonly ConformanceCase[] = [
  {
    number: 130,
    title: 'several merges are one submission: all of them or none, one transaction, and no gas is paid',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const requests: MergeRequest[] = [];
      const { yes, merge } = await pairsOf(bench, '10');
      for (let micro = 1; micro <= MERGES; micro += 1)
        requests.push({ ...merge, shares: micro as typeof merge.shares });
      const sum = (MERGES * (MERGES + 1)) / 2;
      const sent = await sentWhile(bench, async () => {
        const changed = await changes(bench, [yes], async () => {
          const prepared = await chain.prepare(requests);
          assert.equal(prepared.highestCost, null);
          const { sentAs } = await submit(bench, prepared);
          await makeFinal(bench);
          const end = await chain.lookUp(prepared, sentAs);
          assert.ok(end.kind === 'confirmed' && end.gas === null);
        });
        assert.deepEqual(changed, { cash: sum, shares: [-sum] });
        const failing = await chain.prepare(
          [merge, merge].map((one) => ({ ...one, shares: 6_000_000 as typeof one.shares })),
        );
        const { sentAs } = await submit(bench, failing);
        await makeFinal(bench);
        assert.equal(verdict(await chain.lookUp(failing, sentAs)), 'failed: SafeMath: subtraction overflow');
        await holds(bench, yes.tokenId, SHARES - sum);
      });
      assert.equal(sent, 2);
    },
  },
  {
    number: 131,
    title: 'only what the relayer calls confirmed is confirmed: pending, then mined, then confirmed',
    run: async (bench) => {
      const { prepared, sentAs } = await sentMerge(bench);
      const chain = chainOf(bench);
      for (const name of [sentAs, undefined]) assert.equal((await chain.lookUp(prepared, name)).kind, 'pending');
      await nextBlock(bench);
      for (const name of [sentAs, undefined]) assert.equal((await chain.lookUp(prepared, name)).kind, 'mined');
      await nextBlock(bench, 3);
      for (const name of [sentAs, undefined]) assert.equal((await chain.lookUp(prepared, name)).kind, 'confirmed');
    },
  },
  {
    number: 132,
    title: 'quota used up: not looked at, with the moment when it may be sent again, which the quota tells as well',
    run: async (bench) => {
      await holdBlocks(bench);
      // Of its own, because it sends nothing for a moment after the command.
      const { chain } = await bench.openVenue();
      assert.ok(chain);
      const { merge, yes } = await pairsOf(bench, '10');
      const prepared = await chain.prepare([merge]);
      assert.equal(chain.quota(), null);
      await bench.control.fault('relayer_quota', { ms: 90_000 });
      const from = Date.now();
      const outcome = await chain.submit(prepared);
      assert.ok(outcome.kind === 'quota_exceeded');
      assert.ok(outcome.resetsAt >= from + 90_000 && outcome.resetsAt <= Date.now() + 90_000);
      assert.deepEqual(chain.quota(), { left: 0, resetsAt: instantFromMs(outcome.resetsAt) });
      await makeFinal(bench);
      await holds(bench, yes.tokenId, SHARES);
    },
  },
  {
    number: 133,
    title: 'call blocked: refused with its reason, and nothing is carried out',
    run: async (bench) => {
      await bench.control.fault('relayer_call_blocked');
      const sent = await sentWhile(bench, async () => {
        const { outcome, yes } = await sentMerge(bench);
        assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
        assert.match(JSON.stringify(outcome), /call blocked/);
        await makeFinal(bench);
        await holds(bench, yes.tokenId, SHARES);
      });
      assert.equal(sent, 0);
    },
  },
  {
    number: 134,
    title: 'the relayer answers 5xx: unknown, sent no second time, and absent once that is proven',
    run: (bench) => neverTaken(bench, 'relayer_5xx', {}),
  },
  {
    number: 135,
    title: 'answer lost before it was taken: unknown, and absent once that is proven',
    run: (bench) => neverTaken(bench, 'chain_answer_lost', { before: true }),
  },
  {
    number: 136,
    title: 'answer lost after it was taken: unknown, found again without its id, carried out once and confirmed',
    run: async (bench) => {
      const sent = await sentWhile(bench, async () => {
        await bench.control.fault('chain_answer_lost');
        const { prepared, outcome, yes } = await sentMerge(bench);
        assert.equal(outcome.kind, 'unknown');
        assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'pending');
        await nextBlock(bench, 4);
        assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'confirmed');
        // What it says of the nonce is no proof that nothing was done.
        assert.equal((await chainOf(bench).submit(prepared)).kind, 'unknown');
        await makeFinal(bench);
        assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'confirmed');
        await holds(bench, yes.tokenId, 0);
      });
      assert.equal(sent, 1);
    },
  },
  {
    number: 137,
    title: 'two batches with one nonce: one is carried out, and of the other that is proven',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const { merge, yes } = await pairsOf(bench, '10');
      const first = await chain.prepare([merge]);
      const second = await chain.prepare([{ ...merge, shares: 4_000_000 as typeof merge.shares }]);
      assert.equal(first.nonce, second.nonce);
      const firstSent = await submit(bench, first);
      const secondSent = await submit(bench, second);
      await makeFinal(bench);
      assert.equal((await chain.lookUp(first, firstSent.sentAs)).kind, 'confirmed');
      const other = await chain.lookUp(second, secondSent.sentAs);
      assert.ok(other.kind === 'failed' || other.kind === 'absent', verdict(other));
      await holds(bench, yes.tokenId, 0);
    },
  },
  {
    number: 138,
    title: 'reverted on chain: failed with its reason once that is final, and nothing is converted',
    run: async (bench) => {
      await bench.control.fault('chain_revert', { reason: 'paused' });
      const { prepared, sentAs, yes } = await sentMerge(bench);
      await nextBlock(bench);
      assert.equal((await chainOf(bench).lookUp(prepared, sentAs)).kind, 'mined');
      await makeFinal(bench);
      assert.equal(verdict(await chainOf(bench).lookUp(prepared, sentAs)), 'failed: paused');
      await holds(bench, yes.tokenId, SHARES);
    },
  },
  {
    number: 139,
    title: 'mined and reorganised: never called confirmed before it is in the chain again',
    run: async (bench) => {
      await bench.control.fault('chain_reorg', { recover: true });
      const { prepared, sentAs } = await sentMerge(bench);
      const chain = chainOf(bench);
      await nextBlock(bench);
      assert.equal((await chain.lookUp(prepared, sentAs)).kind, 'mined');
      await nextBlock(bench);
      assert.equal((await chain.lookUp(prepared, sentAs)).kind, 'pending');
      await makeFinal(bench);
      assert.equal((await chain.lookUp(prepared, sentAs)).kind, 'confirmed');
    },
  },
  {
    number: 140,
    title: 'nodes that are behind or disagree: nothing is called confirmed, failed or absent that is not',
    run: async (bench) => {
      const { prepared, sentAs } = await sentMerge(bench);
      const chain = chainOf(bench);
      await nextBlock(bench);
      for (const name of ['rpc_behind', 'rpc_disagree']) {
        await bench.control.fault(name, { times: 60 });
        for (let count = 0; count < 4; count += 1) {
          const { kind } = await chain.lookUp(prepared, sentAs);
          assert.ok(['pending', 'mined', 'unknown'].includes(kind), kind);
        }
        await bench.control.clearFaults();
      }
      await makeFinal(bench);
      assert.equal((await chain.lookUp(prepared, sentAs)).kind, 'confirmed');
      await bench.control.fault('rpc_5xx', { times: 100 });
      assert.equal((await chain.lookUp(prepared, sentAs)).kind, 'unknown');
    },
  },
];

/** Cases of a wallet whose signed batches have a deadline. */
export const DEADLINE_CASES: readonly ConformanceCase[] = [
  {
    number: 145,
    title:
      'stuck until after its deadline: pending before, absent once a final block is past it, and never carried out',
    run: async (bench) => {
      await bench.control.fault('chain_stuck');
      const { prepared, sentAs, yes } = await sentMerge(bench);
      await nextBlock(bench, 8);
      assert.equal((await chainOf(bench).lookUp(prepared, sentAs)).kind, 'pending');
      await nextBlock(bench, 10);
      assert.match(verdict(await chainOf(bench).lookUp(prepared, sentAs)), /^absent: its deadline has passed/);
      await bench.control.setChain({ unstick: true });
      await makeFinal(bench);
      const late = await chainOf(bench).lookUp(prepared, sentAs);
      assert.ok(late.kind === 'absent' || late.kind === 'failed', verdict(late));
      await holds(bench, yes.tokenId, SHARES);
    },
  },
  {
    number: 146,
    title: 'reorganised and lost: unknown until its deadline has passed, then absent',
    run: async (bench) => {
      await bench.control.fault('chain_reorg');
      const { prepared, sentAs, yes } = await sentMerge(bench);
      await nextBlock(bench, 3);
      assert.match(verdict(await chainOf(bench).lookUp(prepared, sentAs)), /^unknown: the relayer calls it failed/);
      await nextBlock(bench, 15);
      assert.equal((await chainOf(bench).lookUp(prepared, sentAs)).kind, 'absent');
      await holds(bench, yes.tokenId, SHARES);
    },
  },
];

/** A merge of ten pairs that was sent. */
async function sentMerge(bench: Bench) {
  await holdBlocks(bench);
  const pairs = await pairsOf(bench, '10');
  const prepared = await chainOf(bench).prepare([pairs.merge]);
  return { ...pairs, prepared, ...(await submit(bench, prepared)) };
}

/** The proof is the deadline where there is one, and elsewhere that another submission has used its nonce. */
async function neverTaken(bench: Bench, fault: string, details: object): Promise<void> {
  const chain = chainOf(bench);
  const sent = await sentWhile(bench, async () => {
    await bench.control.fault(fault, { ...details });
    const { prepared, outcome, yes, merge } = await sentMerge(bench);
    assert.equal(outcome.kind, 'unknown');
    await makeFinal(bench);
    assert.match(verdict(await chain.lookUp(prepared)), /^(unknown|given_up): the relayer does not know it/);
    await nextBlock(bench, 10);
    await holds(bench, yes.tokenId, SHARES);
    if (prepared.deadline === null) {
      const other = await chain.prepare([{ ...merge, shares: 4_000_000 as typeof merge.shares }]);
      assert.equal((await submit(bench, other)).outcome.kind, 'sent');
      await makeFinal(bench);
    }
    assert.equal((await chain.lookUp(prepared)).kind, 'absent');
  });
  assert.ok(sent <= 1);
}

async function holds(bench: Bench, tokenId: TokenId, micro: number): Promise<void> {
  assert.equal((await chainOf(bench).balances([tokenId])).shares.get(tokenId), micro);
}
