import assert from 'node:assert/strict';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { VenueUnavailable } from '../venue.ts';
import { ConversionRefused } from '../venue-chain.ts';
import type { Bench } from './bench.ts';
import type { ConformanceCase } from './cases.ts';
import {
  chainOf,
  holdBlocks,
  lookUpThrough,
  makeFinal,
  nextBlock,
  pairsOf,
  sentWhile,
  submit,
  verdict,
} from './conversions.ts';

const SHARES = 10_000_000;

/** Transactions of a plain key on a chain and through nodes that misbehave: each ends proven, or unknown until it is. */
export const KEY_CHAIN_CASES: readonly ConformanceCase[] = [
  {
    number: 110,
    title: 'shows before it is sent what the gas may cost, pays less, and refuses what the key cannot pay',
    run: async (bench) => {
      await holdBlocks(bench);
      const chain = chainOf(bench);
      const { merge } = await pairsOf(bench, '10');
      const prepared = await chain.prepare([merge]);
      const { highestCost } = prepared;
      assert.match(highestCost?.native ?? '', /^0\.0\d+$/);
      assert.equal(highestCost?.symbol, 'POL');
      await submit(bench, prepared);
      await makeFinal(bench);
      const end = await chain.lookUp(prepared);
      assert.ok(end.kind === 'confirmed' && end.gas !== null && highestCost !== null);
      assert.ok(BigInt(end.gas.wei) > 0n && BigInt(end.gas.wei) < BigInt(highestCost.wei));
      await assert.rejects(chain.prepare([merge, merge]), ConversionRefused);
    },
  },
  {
    number: 111,
    title: 'pending until it is mined, mined until it is beyond a reorganisation, then confirmed',
    run: async (bench) => {
      const { prepared } = await sentMerge(bench);
      const chain = chainOf(bench);
      assert.equal((await chain.lookUp(prepared)).kind, 'pending');
      await nextBlock(bench);
      const mined = await chain.lookUp(prepared);
      assert.ok(mined.kind === 'mined' && mined.hash === prepared.id);
      await nextBlock(bench, 4);
      assert.equal((await chain.lookUp(prepared)).kind, 'mined');
      await nextBlock(bench);
      const confirmed = await chain.lookUp(prepared);
      assert.ok(confirmed.kind === 'confirmed' && confirmed.hash === prepared.id && confirmed.block === mined.block);
    },
  },
  {
    number: 112,
    title: 'reverted with a reason: failed with that reason once it is final, and nothing is converted',
    run: (bench) => failing(bench, 'chain_revert', { reason: 'paused' }, 'failed: paused'),
  },
  {
    number: 113,
    title: 'reverted without a reason: failed, and it says so',
    run: (bench) => failing(bench, 'chain_revert', { reason: '' }, 'failed: reverted without a reason'),
  },
  {
    number: 114,
    title: 'out of gas: failed, and it says so',
    run: (bench) => failing(bench, 'chain_out_of_gas', {}, 'failed: out of gas'),
  },
  {
    number: 115,
    title: 'nonce taken by another program: not called refused, and absent once that is settled',
    run: async (bench) => {
      await holdBlocks(bench);
      await bench.control.fault('chain_nonce_taken');
      const { prepared, outcome, yes } = await sentMerge(bench);
      assert.deepEqual(outcome, { kind: 'unknown', reason: 'nonce too low' });
      await makeFinal(bench);
      assert.equal(verdict(await chainOf(bench).lookUp(prepared)), 'absent: another transaction has used its nonce');
      await holds(bench, yes.tokenId, SHARES);
    },
  },
  {
    number: 116,
    title:
      'replaced by another with its nonce: unknown while that may be undone, then absent, and nothing is converted',
    run: async (bench) => {
      await holdBlocks(bench);
      await bench.control.fault('chain_replaced');
      const { prepared, outcome, yes } = await sentMerge(bench);
      assert.equal(outcome.kind, 'sent');
      await nextBlock(bench);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'unknown');
      await makeFinal(bench);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'absent');
      await holds(bench, yes.tokenId, SHARES);
    },
  },
  {
    number: 117,
    title: 'answer lost after it was taken: unknown, found by its hash, sent once and confirmed',
    run: async (bench) => {
      const sent = await sentWhile(bench, async () => {
        await bench.control.fault('chain_answer_lost');
        const { prepared, outcome } = await sentMerge(bench);
        assert.equal(outcome.kind, 'unknown');
        assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'pending');
        await makeFinal(bench);
        assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'confirmed');
      });
      assert.equal(sent, 1);
    },
  },
  {
    number: 118,
    title: 'answer lost before it was taken: unknown, and the same bytes sent again are carried out once',
    run: async (bench) => {
      await bench.control.fault('chain_answer_lost', { before: true });
      const { prepared, outcome } = await sentMerge(bench);
      assert.equal(outcome.kind, 'unknown');
      await makeFinal(bench);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'unknown');
      const sent = await sentWhile(bench, async () => {
        for (let again = 0; again < 2; again += 1)
          assert.deepEqual(await chainOf(bench).submit(prepared), { kind: 'sent', id: prepared.id });
        await makeFinal(bench);
      });
      assert.equal(sent, 1);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'confirmed');
    },
  },
  {
    number: 119,
    title: 'reorganised after it was mined: never called confirmed, pending again, and confirmed where it comes again',
    run: async (bench) => {
      await bench.control.fault('chain_reorg', { recover: true });
      const { prepared } = await sentMerge(bench);
      const chain = chainOf(bench);
      await nextBlock(bench);
      assert.equal((await chain.lookUp(prepared)).kind, 'mined');
      await nextBlock(bench);
      assert.equal((await chain.lookUp(prepared)).kind, 'pending');
      await makeFinal(bench);
      assert.equal((await chain.lookUp(prepared)).kind, 'confirmed');
    },
  },
  {
    number: 120,
    title: 'reorganised and lost: unknown, because its bytes may still come, and absent once its nonce is used',
    run: async (bench) => {
      await bench.control.fault('chain_reorg');
      const { prepared, yes, merge } = await sentMerge(bench);
      const chain = chainOf(bench);
      await nextBlock(bench, 2);
      assert.match(verdict(await chain.lookUp(prepared)), /^unknown: no node has it/);
      await holds(bench, yes.tokenId, SHARES);
      const other = await chain.prepare([{ ...merge, shares: merge.shares }]);
      assert.equal(other.nonce, prepared.nonce);
      await chain.submit(other);
      await makeFinal(bench);
      const ends = [await chain.lookUp(prepared), await chain.lookUp(other)].map(({ kind }) => kind);
      assert.ok(other.id === prepared.id ? ends.every((kind) => kind === 'confirmed') : ends[0] === 'absent');
      await holds(bench, yes.tokenId, 0);
    },
  },
  {
    number: 121,
    title: 'stuck: pending for as long as it is, and confirmed once it is let go',
    run: async (bench) => {
      await bench.control.fault('chain_stuck');
      const { prepared } = await sentMerge(bench);
      await makeFinal(bench);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'pending');
      await bench.control.setChain({ unstick: true });
      await makeFinal(bench);
      assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'confirmed');
    },
  },
  {
    number: 122,
    title: 'a node that is behind: nothing is called confirmed, failed or absent that is not',
    run: (bench) => throughNodes(bench, 'rpc_behind'),
  },
  {
    number: 123,
    title: 'nodes that disagree: nothing is called confirmed, failed or absent that is not',
    run: (bench) => throughNodes(bench, 'rpc_disagree'),
  },
  {
    number: 124,
    title: 'nodes that answer 5xx: nothing is prepared, a lookup is unknown, and reads say that they did not come off',
    run: async (bench) => {
      const { prepared, merge } = await sentMerge(bench);
      const chain = chainOf(bench);
      await bench.control.fault('rpc_5xx', { times: 1_000 });
      await assert.rejects(chain.prepare([merge]), VenueUnavailable);
      await assert.rejects(chain.balances([]), VenueUnavailable);
      await assert.rejects(chain.approvals(), VenueUnavailable);
      assert.equal((await chain.lookUp(prepared)).kind, 'unknown');
      assert.equal((await chain.submit(prepared)).kind, 'unknown');
      await bench.control.clearFaults();
      await makeFinal(bench);
      assert.equal((await chain.lookUp(prepared)).kind, 'confirmed');
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

async function failing(bench: Bench, fault: string, details: object, expected: string): Promise<void> {
  await bench.control.fault(fault, { ...details });
  const { prepared, outcome, yes } = await sentMerge(bench);
  assert.equal(outcome.kind, 'sent');
  await nextBlock(bench);
  assert.equal((await chainOf(bench).lookUp(prepared)).kind, 'mined');
  await makeFinal(bench);
  assert.equal(verdict(await chainOf(bench).lookUp(prepared)), expected);
  await holds(bench, yes.tokenId, SHARES);
}

/** Looks at a transaction that was carried out, and at one that was not, while nodes answer as of other blocks. */
async function throughNodes(bench: Bench, fault: 'rpc_behind' | 'rpc_disagree'): Promise<void> {
  const carriedOut = await sentMerge(bench);
  await nextBlock(bench, 2);
  await bench.control.fault(fault, { times: 60 });
  const early = await lookUpThrough(bench, carriedOut.prepared, 6);
  for (const { kind } of early.onTheWay) assert.ok(['mined', 'pending', 'unknown'].includes(kind), kind);
  assert.equal(early.last.kind, 'mined');
  await bench.control.fault('chain_replaced');
  const replaced = await sentMerge(bench);
  await makeFinal(bench);
  await bench.control.fault(fault, { times: 200 });
  const late = await lookUpThrough(bench, replaced.prepared, 6);
  for (const { kind } of late.onTheWay) assert.ok(['absent', 'unknown'].includes(kind), kind);
  assert.equal(late.last.kind, 'absent');
  assert.equal((await chainOf(bench).lookUp(carriedOut.prepared)).kind, 'confirmed');
}

async function holds(bench: Bench, tokenId: TokenId, micro: number): Promise<void> {
  assert.equal((await chainOf(bench).balances([tokenId])).shares.get(tokenId), micro);
}
