import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTransaction, type TransactionView } from './judge-transaction.ts';
import type { Receipt } from './nodes.ts';

const numRuns = Number(process.env.CHAIN_RUNS ?? 2_000);
const CONFIRMATIONS = 5;
const NONCE = 7;

/** What happened: at which block the nonce was used, and by what; null: it never was. Before that the nodes may have it waiting. */
const truth = fc.record({
  newest: fc.constant(100),
  usedAt: fc.option(fc.integer({ min: 60, max: 100 })),
  by: fc.constantFrom('ours', 'ours, reverted', 'another'),
  isWaiting: fc.boolean(),
});
type Truth = typeof truth extends fc.Arbitrary<infer T> ? T : never;

/** Answers behind one address are as of different blocks, none further back than what counts as final. */
const lag = fc.integer({ min: 0, max: CONFIRMATIONS });
const answers = fc.record({ height: lag, receipt: lag, transaction: lag });

function viewOf(
  { newest, usedAt, by, isWaiting }: Truth,
  lags: { height: number; receipt: number; transaction: number },
): TransactionView {
  const isIn = (behind: number) => usedAt !== null && usedAt <= newest - behind;
  const isOurs = by !== 'another';
  const receipt: Receipt | null =
    isOurs && usedAt !== null && isIn(lags.receipt)
      ? {
          block: usedAt,
          blockHash: `0x${usedAt}`,
          isSuccess: by === 'ours',
          gasUsed: 1n,
          gasPrice: 1n,
          revertReason: undefined,
          logs: [],
        }
      : null;
  const isKnown = receipt !== null || (isWaiting && !isIn(lags.transaction)) || (isOurs && isIn(lags.transaction));
  return { height: newest - lags.height, receipt, isKnown };
}

describe('a transaction as several nodes tell of it, each answer as of another block', () => {
  it('is never called confirmed, failed or absent where it is not, whatever the nodes are behind by', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(truth, fc.array(answers, { minLength: 1, maxLength: 2 }), (happened, lags) => {
        const views = lags.map((one) => viewOf(happened, one));
        const final = Math.min(...views.map(({ height }) => height)) - CONFIRMATIONS;
        const { usedAt, by } = happened;
        const noncesUsed = NONCE + (usedAt !== null && usedAt <= final ? 1 : 0);
        const { kind } = judgeTransaction(views, { nonce: NONCE, noncesUsed, confirmations: CONFIRMATIONS });
        kinds.add(kind);
        const isFinal = usedAt !== null && usedAt <= happened.newest - CONFIRMATIONS;
        if (kind === 'confirmed') expect([isFinal, by]).toEqual([true, 'ours']);
        if (kind === 'failed') expect([isFinal, by]).toEqual([true, 'ours, reverted']);
        if (kind === 'absent') expect([isFinal, by]).toEqual([true, 'another']);
      }),
      { numRuns },
    );
    expect([...kinds].sort()).toEqual(['absent', 'confirmed', 'failed', 'mined', 'pending', 'unknown']);
  });

  it('is judged as what it is once every node has caught up', () => {
    const even = { height: 0, receipt: 0, transaction: 0 };
    const reported = (usedAt: number | null, by: Truth['by'], noncesUsed: number | null) =>
      judgeTransaction([viewOf({ newest: 100, usedAt, by, isWaiting: false }, even)], {
        nonce: NONCE,
        noncesUsed,
        confirmations: CONFIRMATIONS,
      }).kind;
    expect(reported(95, 'ours', NONCE + 1)).toBe('confirmed');
    expect(reported(96, 'ours', NONCE)).toBe('mined');
    expect(reported(95, 'ours, reverted', NONCE + 1)).toBe('failed');
    expect(reported(95, 'another', NONCE + 1)).toBe('absent');
    expect(reported(96, 'another', NONCE)).toBe('unknown');
    expect(reported(null, 'ours', null)).toBe('unknown');
  });

  it('is unknown while nodes have it in different blocks, or one has it where another has none', () => {
    const receipt = { block: 90, isSuccess: true, gasUsed: 1n, gasPrice: 1n, revertReason: undefined, logs: [] };
    const view = (blockHash: string | null): TransactionView => ({
      height: 100,
      receipt: blockHash === null ? null : { ...receipt, blockHash },
      isKnown: true,
    });
    const terms = { nonce: NONCE, noncesUsed: NONCE + 1, confirmations: CONFIRMATIONS };
    expect(judgeTransaction([view('0xa'), view('0xb')], terms).kind).toBe('unknown');
    expect(judgeTransaction([view('0xa'), view(null)], terms).kind).toBe('unknown');
    expect(judgeTransaction([view(null), view('0xa')], terms).kind).toBe('unknown');
    expect(judgeTransaction([view('0xa'), view('0xa')], terms).kind).toBe('confirmed');
  });
});
