/**
 * Merges while faults strike the chain, its nodes and the relayer: every end is proven, nothing is lost or doubled, and the books
 * and the ledger say what the chain has. CHAIN_EXITS=500 takes so many for each kind of wallet, CHAIN_SEED others.
 */
import { sharesFromMicro, sharesToText } from '@dutchbook/units/shares.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { postOlderGas } from '../ledger/post-gas.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { boughtBatch, type ChainSite, nextBlocks, onChain, openChainDesk, openChainSite } from './chain.fixture.ts';
import { preparedOf, type Submission } from './store.ts';

const EXITS = Number(process.env.CHAIN_EXITS ?? 8);
/** The relayer takes a hundred merges a day. */
const EXITS_PER_RUN = 50;
const RUNS = Array.from({ length: Math.ceil(EXITS / EXITS_PER_RUN) }, (_, run) => run + 1);
const SEED = Number(process.env.CHAIN_SEED ?? 1);

type Fault = [name: string, details: Record<string, unknown>];

const FAULTS: readonly Fault[] = [
  ['chain_revert', { reason: 'paused' }],
  ['chain_revert', { reason: '' }],
  ['chain_out_of_gas', {}],
  ['chain_stuck', {}],
  ['chain_replaced', {}],
  ['chain_nonce_taken', {}],
  ['chain_reorg', { recover: true }],
  ['chain_reorg', {}],
  ['chain_answer_lost', {}],
  ['chain_answer_lost', { before: true }],
  ['rpc_5xx', { times: 5 }],
  ['rpc_behind', { times: 25 }],
  ['rpc_disagree', { times: 25 }],
  ['relayer_quota', { ms: 60_000 }],
  ['relayer_5xx', {}],
  ['relayer_call_blocked', {}],
];
/** Each takes a second on an idle machine. */
const TIMEOUT_MS = 600_000;
/** What is known of a submission is recorded within this, once it can be known. */
const TOLD_WITHIN_MS = 15_000;
const PROVEN = ['confirmed', 'failed', 'absent'];

describe.each([
  ['a deposit wallet', 3],
  ['a plain key', 0],
] as const)('exits of %s while faults strike', (_what, signatureType) => {
  let site: ChainSite;
  afterEach(async () => {
    await site.venue.close();
    await site.exchange.stop();
  });

  it.each(RUNS)(
    'all end proven, and are booked as what the chain has done, run %i',
    async (run) => {
      site = await openChainSite(signatureType);
      await using test = await openTestRuntime({ VENUE: 'simulated' });
      const desk = openChainDesk(test, site);
      const loop = desk.keep();
      const roll = numbers(SEED + run);
      const market = site.markets.find(({ event }) => event?.negRisk !== true);
      if (market === undefined) throw new Error('the exchange has a market that stands alone');
      await site.control.split(market.id, '1000');
      const tokens = market.outcomes.map(({ tokenId }) => tokenId);
      const before = await onChain(site, tokens);
      let [confirmed, booked] = [0, 0];
      const ends = new Map<string, number>();
      for (let exit = 0; exit < Math.min(EXITS, EXITS_PER_RUN); exit += 1) {
        const shares = sharesToText(sharesFromMicro(10_000 + roll(900_000)));
        const batchId = await boughtBatch(
          test,
          [0, 1].map((outcome) => ({ market, outcome: outcome as 0 | 1, shares, cost: '0.004' })),
        );
        const { requestId, refusal } = await desk.cashNow({ batchId });
        expect(refusal).toBeNull();
        // The first one is struck by nothing: it shows that the others would be confirmed.
        const faults = Array.from({ length: exit === 0 ? 0 : 1 + roll(2) }, () => FAULTS[roll(FAULTS.length)] as Fault);
        for (const [name, details] of faults) await site.control.fault(name, { ...details });
        const { row } = await endOf(desk, requestId);
        const said = `exit ${exit} with ${JSON.stringify(faults)}: ${row.status} ${row.error}`;
        expect(row.bookedAt, said).not.toBeNull();
        const { sales } = await desk.stateOf(batchId);
        const isConfirmed = row.status === 'confirmed';
        expect(
          sales.map(({ status }) => status),
          said,
        ).toEqual(Array(2).fill(isConfirmed ? 'filled' : 'failed'));
        confirmed += isConfirmed ? row.expected : 0;
        booked += sales.reduce((sum, { filledCost }) => sum + filledCost, 0);
        ends.set(row.status, (ends.get(row.status) ?? 0) + 1);
      }
      await loop.stop();
      const after = await onChain(site, tokens);
      expect([after.cash - before.cash, booked]).toEqual([confirmed, confirmed]);
      expect(before.shares.map((shares, place) => shares - (after.shares[place] ?? 0))).toEqual([confirmed, confirmed]);
      expect([...ends.keys()].sort()).toEqual(['confirmed', 'failed']);
      const entries = await test.runtime.db.select().from(ledgerEntries);
      const ofKind = (wanted: string) => entries.filter(({ kind }) => kind === wanted);
      const dollars = ofKind('merge').flatMap(({ lines }) => lines.filter(({ account }) => account === 'cash'));
      expect(dollars.reduce((sum, { amount }) => sum + amount, 0)).toBe(confirmed);
      const paying = (await desk.submissions()).filter(({ row }) => row.gas !== null).map(({ row }) => row.id);
      expect(
        ofKind('gas')
          .map(({ submissionId }) => submissionId)
          .sort(),
      ).toEqual(paying.sort());
      expect(paying.length > 0).toBe(signatureType === 0);
      await postOlderGas(test.runtime.db);
      expect(await test.runtime.db.$count(ledgerEntries)).toBe(entries.length);
    },
    TIMEOUT_MS,
  );

  /** Lets faults strike, clears them, and goes on until its end is booked. */
  async function endOf(desk: ReturnType<typeof openChainDesk>, requestId: string): Promise<Submission> {
    const { time } = desk.test;
    const seen = async () => {
      const [submission] = await desk.submissions(requestId);
      if (submission === undefined) throw new Error('it was recorded');
      return submission;
    };
    for (let block = 0; block < 3; block += 1) {
      await time.advance(1000);
      await nextBlocks(site, 1);
    }
    await site.control.clearFaults();
    for (let round = 0; round < 12; round += 1) {
      const submission = await seen();
      if (submission.row.bookedAt !== null) return submission;
      if (round > 2) await site.control.setChain({ unstick: true });
      await nextBlocks(site);
      const prepared = preparedOf(submission.row);
      const isSent = submission.row.sentAt !== null;
      const known =
        prepared && isSent ? await desk.parts.chain.lookUp(prepared, submission.row.sentAs ?? undefined) : null;
      await time.advance(TOLD_WITHIN_MS);
      if (known !== null && PROVEN.includes(known.kind)) expect((await seen()).row.endedAt).not.toBeNull();
      // What no deadline ends is posted again after a minute.
      if (prepared?.deadline === null) await time.advance(60_000 - TOLD_WITHIN_MS);
    }
    return await seen();
  }
});

/** Whole numbers below a bound, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
