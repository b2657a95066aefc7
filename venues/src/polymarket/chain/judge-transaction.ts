import type { ConversionLookup } from '../../venue-chain.ts';
import type { Receipt } from './nodes.ts';

/** What one node says of one transaction. `height`: its newest block. `isKnown`: it has it, in a block or waiting for one. */
export type TransactionView = { height: number; receipt: Receipt | null; isKnown: boolean };

/** A verdict, with the receipt behind it where it is of a block. */
export type Verdict =
  | { kind: 'mined' | 'confirmed' | 'failed'; receipt: Receipt }
  | Extract<ConversionLookup, { kind: 'absent' | 'pending' | 'given_up' | 'unknown' }>;

/**
 * Judges what became of a transaction of a key. `nonce`: its own. `noncesUsed`: how many of the key's are in the blocks that no
 * reorganisation undoes, by every node; null where that is not agreed on. Nodes of one address may answer as of different
 * blocks, so that what is not there is believed only `confirmations` blocks below the newest one.
 */
export function judgeTransaction(
  views: readonly TransactionView[],
  { nonce, noncesUsed, confirmations }: { nonce: number; noncesUsed: number | null; confirmations: number },
): Verdict {
  const seen = views.flatMap(({ receipt }) => receipt ?? []);
  const [receipt] = seen;
  if (receipt !== undefined) return judgeMined(views, receipt, confirmations);
  const isPassed = noncesUsed !== null && noncesUsed > nonce;
  const isKnown = views.some((view) => view.isKnown);
  if (isPassed && isKnown) return unknown('a node still has it although its nonce is used');
  if (isPassed) return { kind: 'absent', reason: 'another transaction has used its nonce' };
  if (isKnown) return { kind: 'pending' };
  if (noncesUsed === null) return unknown('no node has it, and they do not agree on the nonces of the key');
  return unknown('no node has it, and its nonce is not used for good: the same bytes may be sent again');
}

/** Judges a transaction that a node has in a block. */
export function judgeMined(views: readonly TransactionView[], receipt: Receipt, confirmations: number): Verdict {
  const others = views.filter((view) => view.receipt?.blockHash !== receipt.blockHash);
  if (others.some((view) => view.receipt !== null)) return unknown('the nodes have it in different blocks');
  if (others.some(({ height }) => height >= receipt.block))
    return unknown('one node has it in a block, another has not');
  const depth = Math.min(...views.map(({ height }) => height)) - receipt.block;
  if (others.length > 0 || depth < confirmations) return { kind: 'mined', receipt };
  return { kind: receipt.isSuccess ? 'confirmed' : 'failed', receipt };
}

function unknown(reason: string): Verdict {
  return { kind: 'unknown', reason };
}
