import assert from 'node:assert/strict';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import type { ConversionLookup, PreparedConversion, VenueChain } from '../venue-chain.ts';
import type { Bench } from './bench.ts';
import { changes, holdBlocks, makeFinal, nextBlock, pairsOf, verdict } from './conversions.ts';

/** CHAIN_EXITS=1000 takes that many for each kind of wallet, about four in a second. */
const EXITS = Number(process.env.CHAIN_EXITS ?? 20);
const SEED = Number(process.env.CHAIN_SEED ?? 1);
/** Until a deadline has passed and what came before it is final. */
const LAST_BLOCKS = 20;
const PROVEN = ['confirmed', 'failed', 'absent'];

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

/**
 * Merges again and again while one or two faults strike. Each merge must end proven, never as something else later, and what
 * the account has gained must be what was confirmed, to the millionth of a dollar.
 */
export async function convertUnderFaults(bench: Bench): Promise<void> {
  await holdBlocks(bench);
  // Of its own, because it sends nothing for a moment after the command.
  const { chain } = await bench.openVenue();
  assert.ok(chain);
  const roll = numbers(SEED);
  const { yes, no, merge } = await pairsOf(bench, '1000');
  const ends: { prepared: PreparedConversion; sentAs: string | undefined; kind: string; micro: number }[] = [];
  const changed = await changes(bench, [yes, no], async () => {
    for (let exit = 0; exit < EXITS; exit += 1) {
      const micro = 1 + roll(900_000);
      const prepared = await chain.prepare([{ ...merge, shares: sharesFromMicro(micro) }]);
      const faults = Array.from({ length: 1 + roll(2) }, () => FAULTS[roll(FAULTS.length)] as Fault);
      for (const [name, details] of faults) await bench.control.fault(name, { ...details });
      const outcome = await chain.submit(prepared);
      const sentAs = outcome.kind === 'sent' ? outcome.id : undefined;
      const end = await endOf(bench, chain, prepared, sentAs);
      const said = JSON.stringify(faults);
      assert.ok(PROVEN.includes(end.kind), `exit ${exit} with ${said} ended as ${verdict(end)}`);
      ends.push({ prepared, sentAs, kind: end.kind, micro });
    }
  });
  const confirmed = ends.filter(({ kind }) => kind === 'confirmed').reduce((sum, { micro }) => sum + micro, 0);
  assert.deepEqual(changed, { cash: confirmed, shares: [-confirmed, -confirmed] });
  for (const { prepared, sentAs, kind } of ends) {
    const again = await chain.lookUp(prepared, sentAs);
    const isSame = (again.kind === 'confirmed') === (kind === 'confirmed');
    assert.ok(isSame || again.kind === 'unknown', `${kind}, then ${verdict(again)}`);
  }
}

/** Looks on while faults strike and after; what no node has any more is sent again, byte for byte. */
async function endOf(
  bench: Bench,
  chain: VenueChain,
  prepared: PreparedConversion,
  sentAs: string | undefined,
): Promise<ConversionLookup> {
  const early: ConversionLookup[] = [await chain.lookUp(prepared, sentAs)];
  for (let block = 0; block < 3; block += 1) {
    await nextBlock(bench);
    early.push(await chain.lookUp(prepared, sentAs));
  }
  await bench.control.clearFaults();
  await makeFinal(bench);
  let end = await chain.lookUp(prepared, sentAs);
  for (let again = 0; again < 3 && !PROVEN.includes(end.kind) && prepared.deadline === null; again += 1) {
    if (end.kind === 'unknown') await chain.submit(prepared);
    await bench.control.setChain({ unstick: true });
    await makeFinal(bench);
    end = await chain.lookUp(prepared, sentAs);
  }
  if (!PROVEN.includes(end.kind)) {
    await nextBlock(bench, LAST_BLOCKS);
    end = await chain.lookUp(prepared, sentAs);
    await bench.control.setChain({ unstick: true });
    await makeFinal(bench);
  }
  for (const { kind } of early) assert.ok(!PROVEN.includes(kind) || kind === end.kind, `${kind}, then ${verdict(end)}`);
  return end;
}

/** Whole numbers below a bound, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
