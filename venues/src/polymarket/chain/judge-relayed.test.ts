import { describe, expect, it } from 'vitest';
import { type BatchEvidence, judgeRelayed } from './judge-relayed.ts';
import type { Receipt } from './nodes.ts';
import type { Relayed } from './relayer-api.ts';

const NONCE = 3;
const DEADLINE_S = 1_000;

const record = (state: string): Relayed => ({ transactionID: 'id', nonce: String(NONCE), state });
const receipt = (block: number, isSuccess = true): Receipt => ({
  block,
  blockHash: `0x${block}`,
  isSuccess,
  gasUsed: 1n,
  gasPrice: 1n,
  revertReason: undefined,
  logs: [],
});
const view = (height: number, found: Receipt | null) => ({ height, receipt: found, isKnown: found !== null });
const final = (timestampS: number, walletNonce: number | null) => ({ timestampS, walletNonce });

const NOTHING: BatchEvidence = { record: null, others: [], views: [], final: final(500, NONCE) };

const CASES: [string, Partial<BatchEvidence>, string][] = [
  ['taken and not sent', { record: record('STATE_NEW') }, 'pending'],
  ['sent', { record: record('STATE_EXECUTED'), views: [view(100, null)] }, 'pending'],
  ['mined', { record: record('STATE_MINED'), views: [view(100, receipt(99))] }, 'mined'],
  [
    'mined long ago, and not called confirmed',
    { record: record('STATE_MINED'), views: [view(100, receipt(80))] },
    'mined',
  ],
  ['confirmed', { record: record('STATE_CONFIRMED'), views: [view(100, receipt(98))] }, 'confirmed'],
  ['called confirmed, in no block', { record: record('STATE_CONFIRMED'), views: [view(100, null)] }, 'unknown'],
  [
    'called confirmed, in a block of one node',
    { record: record('STATE_CONFIRMED'), views: [view(100, receipt(98)), view(100, null)] },
    'unknown',
  ],
  [
    'called confirmed, and one node behind',
    { record: record('STATE_CONFIRMED'), views: [view(100, receipt(98)), view(97, null)] },
    'mined',
  ],
  [
    'called confirmed, and reverted',
    { record: record('STATE_CONFIRMED'), views: [view(100, receipt(90, false))] },
    'failed',
  ],
  ['reverted just now', { record: record('STATE_FAILED'), views: [view(100, receipt(99, false))] }, 'mined'],
  ['reverted for good', { record: record('STATE_FAILED'), views: [view(100, receipt(90, false))] }, 'failed'],
  ['reverted, and not given up', { record: record('STATE_MINED'), views: [view(100, receipt(90, false))] }, 'mined'],
  ['given up, and carried out', { record: record('STATE_FAILED'), views: [view(100, receipt(90))] }, 'mined'],
  ['given up without a block', { record: record('STATE_FAILED'), views: [view(100, null)] }, 'unknown'],
  ['given up, and its nonce used', { record: record('STATE_INVALID'), final: final(500, NONCE + 1) }, 'absent'],
  ['not known', {}, 'unknown'],
  ['not known, and its nonce used by an unknown transaction', { final: final(500, NONCE + 1) }, 'unknown'],
  ['not known, and its nonce used by another', { others: [record('STATE_CONFIRMED')] }, 'absent'],
  ['not known, and another with its nonce is on its way', { others: [record('STATE_MINED')] }, 'unknown'],
  ['not known at its deadline', { final: final(DEADLINE_S, NONCE) }, 'unknown'],
  ['not known past its deadline', { final: final(DEADLINE_S + 1, NONCE) }, 'absent'],
  ['stuck past its deadline', { record: record('STATE_EXECUTED'), final: final(DEADLINE_S + 1, NONCE) }, 'absent'],
  ['past its deadline, with its nonce used', { final: final(DEADLINE_S + 1, NONCE + 1) }, 'unknown'],
  ['past its deadline, and the nodes do not agree', { final: undefined }, 'unknown'],
  ['no relayer', { record: undefined, others: undefined }, 'unknown'],
  ['no relayer, past its deadline', { record: undefined, others: undefined, final: final(1_001, NONCE) }, 'absent'],
  ['of a wallet that tells no nonce, past it', { final: final(DEADLINE_S + 1, null) }, 'unknown'],
];

describe('a batch by what its relayer and the chain say', () => {
  it.each(CASES)('%s', (_, evidence, kind) => {
    const terms = { nonce: NONCE, deadlineS: DEADLINE_S, confirmations: 5 };
    expect(judgeRelayed({ ...NOTHING, ...evidence }, terms).kind).toBe(kind);
  });

  it('without a deadline only its nonce ends it', () => {
    const terms = { nonce: NONCE, deadlineS: null, confirmations: 5 };
    expect(judgeRelayed({ ...NOTHING, final: final(9e9, null) }, terms)).toEqual({
      kind: 'unknown',
      reason: 'the relayer does not know it, and it may be carried out until its nonce is used',
    });
  });

  it('without a deadline is given up, with the words of the relayer, only where the chain proves that its nonce is not used', () => {
    const reported = (evidence: Partial<BatchEvidence>) =>
      judgeRelayed({ ...NOTHING, ...evidence }, { nonce: NONCE, deadlineS: null, confirmations: 5 });
    const failed = { ...record('STATE_FAILED'), errorMsg: 'simulation failed' };
    expect(reported({})).toEqual({ kind: 'given_up', reason: 'the relayer does not know it' });
    expect(reported({ record: failed })).toEqual({ kind: 'given_up', reason: 'the relayer says "simulation failed"' });
    for (const finalAt of [final(500, null), undefined])
      expect(reported({ record: failed, final: finalAt }).kind).toBe('unknown');
    expect(reported({ record: failed, final: final(500, NONCE + 1) }).kind).toBe('absent');
    expect(reported({ record: undefined, others: undefined }).kind).toBe('unknown');
    expect(reported({ record: record('STATE_EXECUTED') }).kind).toBe('pending');
    expect(reported({ record: failed, views: [view(100, receipt(90))] }).kind).toBe('mined');
  });
});
