import { judgeMined, type TransactionView, type Verdict } from './judge-transaction.ts';
import type { Relayed } from './relayer-api.ts';

/**
 * Evidence about a signed batch. `record`: the relayer's record of it, null where the relayer does not know it; `others`: the relayer's
 * records of other batches with the same nonce. Both are undefined where the relayer did not answer. `views`: each node's view of the
 * record's transaction, empty where the record has none. `final`: the newest block that no reorganisation undoes, with the wallet's
 * nonce in it (null where the wallet cannot be asked); undefined where the nodes do not agree on it.
 */
export type BatchEvidence = {
  record: Relayed | null | undefined;
  others: readonly Relayed[] | undefined;
  views: readonly TransactionView[];
  final: { timestampS: number; walletNonce: number | null } | undefined;
};

export type BatchTerms = { nonce: number; deadlineS: number | null; confirmations: number };

const CONFIRMED = 'STATE_CONFIRMED';
const ENDED_BADLY = new Set(['STATE_FAILED', 'STATE_INVALID']);

/** Whether the relayer has given a submission up. */
export function endedBadly(record: Relayed | null | undefined): boolean {
  return record !== null && record !== undefined && ENDED_BADLY.has(record.state);
}

/** Judges a signed batch. A verdict is final only where relayer and chain agree, or the chain alone proves it. */
export function judgeRelayed(evidence: BatchEvidence, terms: BatchTerms): Verdict {
  const { record, views, final } = evidence;
  const receipt = views.flatMap((view) => view.receipt ?? [])[0];
  if (record?.state === CONFIRMED) {
    if (receipt === undefined) return unknown('the relayer calls it confirmed, and the nodes do not have it');
    const verdict = judgeMined(views, receipt, 0);
    return verdict.kind === 'failed' ? judgeMined(views, receipt, terms.confirmations) : verdict;
  }
  const hasFailed = endedBadly(record);
  if (receipt !== undefined) {
    const verdict = judgeMined(views, receipt, terms.confirmations);
    if (verdict.kind === 'confirmed') return { kind: 'mined', receipt };
    if (verdict.kind !== 'failed' || hasFailed) return verdict;
    return { kind: 'mined', receipt };
  }
  const absence = whyAbsent(evidence, terms, hasFailed);
  if (absence !== null) return { kind: 'absent', reason: absence };
  if (record !== null && record !== undefined && !hasFailed) return { kind: 'pending' };
  const isUnused = final?.walletNonce != null && final.walletNonce <= terms.nonce;
  // A batch with a deadline ends at that deadline.
  if (terms.deadlineS === null && record !== undefined && isUnused)
    return { kind: 'given_up', reason: whyGivenUp(record) };
  return unknown(whyUnknown(record, hasFailed, terms));
}

function whyGivenUp(record: Relayed | null): string {
  if (record === null) return 'the relayer does not know it';
  return record.errorMsg ? `the relayer says "${record.errorMsg}"` : 'the relayer gives no reason';
}

/** The proof that the batch will never be carried out; null where there is none. */
function whyAbsent(
  { others, final }: BatchEvidence,
  { nonce, deadlineS }: BatchTerms,
  hasFailed: boolean,
): string | null {
  const walletNonce = final?.walletNonce ?? null;
  const isPassed = walletNonce !== null && walletNonce > nonce;
  const isLate = deadlineS !== null && final !== undefined && final.timestampS > deadlineS;
  if (isLate && walletNonce !== null && walletNonce <= nonce)
    return 'its deadline has passed, and its nonce was not used';
  if (others?.some(({ state }) => state === CONFIRMED)) return 'another submission has used its nonce';
  return hasFailed && isPassed ? 'it was not carried out, and its nonce is used' : null;
}

function whyUnknown(record: Relayed | null | undefined, hasFailed: boolean, { deadlineS }: BatchTerms): string {
  const may = deadlineS === null ? 'until its nonce is used' : 'until its deadline';
  if (record === undefined) return `the relayer did not answer, and it may be carried out ${may}`;
  if (!hasFailed) return `the relayer does not know it, and it may be carried out ${may}`;
  return `the relayer calls it failed, and it may be carried out ${may}`;
}

function unknown(reason: string): Verdict {
  return { kind: 'unknown', reason };
}
