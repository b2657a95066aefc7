import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type Hex, keccak256, type LocalAccount, parseGwei } from 'viem';
import { z } from 'zod';
import { TOO_MANY_REQUESTS } from '../../transport.ts';
import type { VenueRuntime } from '../../venue.ts';
import {
  type ConversionLookup,
  ConversionRefused,
  type PreparedConversion,
  type SubmitOutcome,
} from '../../venue-chain.ts';
import { callFailure, type Secrets, unavailable } from '../errors.ts';
import { contradiction, movesOf } from './account-moves.ts';
import { CHAIN_ID } from './addresses.ts';
import type { ContractCall } from './encode-conversion.ts';
import { checkCost, gasCost } from './gas.ts';
import { judgeTransaction, type TransactionView, type Verdict } from './judge-transaction.ts';
import {
  agreed,
  anyOf,
  blockAt,
  type ChainNode,
  callContract,
  heightOf,
  NodeRefusal,
  quantityIn,
  type Receipt,
  receiptOf,
  revertReason,
  transactionCount,
} from './nodes.ts';

export type KeyTransactionsParts = {
  nodes: readonly ChainNode[];
  signer: LocalAccount;
  runtime: VenueRuntime;
  secrets: Secrets;
  /** In whole coins of the chain. */
  gasCap: string;
  confirmations: number;
};

/** Sends and looks up what was signed, whatever kind of wallet signed it. */
export type Sender = {
  callsMax: number;
  prepare(calls: readonly ContractCall[]): Promise<PreparedConversion>;
  submit(prepared: PreparedConversion): Promise<SubmitOutcome>;
  lookUp(prepared: PreparedConversion, sentAs: string | undefined): Promise<ConversionLookup>;
};

const stored = z.object({
  raw: z.string(),
  hash: z.string(),
  nonce: z.int(),
  gas: z.string().regex(/^\d+$/),
  to: z.string(),
  data: z.string(),
});

/** What is estimated can be less than what is used when the state has moved on by then. */
const GAS_MARGIN = { of: 10n, is: 13n };
/** Doubles of the base fee last for six full blocks. */
const BASE_FEE_TIMES = 2n;
/** Less is not taken by the validators of Polygon. */
const LEAST_TIP = parseGwei('30');
const REST_MS = 1_000;

const ALREADY_THERE = /already known|already exists|known transaction/i;
/** What a node says of a transaction that it does not take; a used nonce is not among it, because this may be the one that used it. */
const NOT_TAKEN =
  /insufficient funds|intrinsic gas|gas limit|underpriced|fee cap|tip|txpool is full|oversized|invalid (chain|sender|signature)|not supported|could not be decoded/i;

/** Transactions of a plain key, which pays their gas: one call in each. */
export function openKeyTransactions(parts: KeyTransactionsParts): Sender {
  let nth = 0;
  return {
    callsMax: 1,
    prepare: (calls) => prepare(parts, calls),
    submit: (prepared) => {
      // Each call goes to one node; a repeated call with the same bytes reaches another.
      const node = parts.nodes[nth++ % parts.nodes.length];
      return submit(parts, node, prepared);
    },
    lookUp: (prepared) => lookUp(parts, prepared),
  };
}

async function prepare(
  { nodes, signer, gasCap }: KeyTransactionsParts,
  calls: readonly ContractCall[],
): Promise<PreparedConversion> {
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0) throw new ConversionRefused('a transaction of a plain key holds one call');
  const from = signer.address;
  const nonce = await agreed(nodes, 'the nonce of the key', (node) => transactionCount(node, from, 'pending'));
  const [estimate, { baseFee }, askedTip, heldWei] = await Promise.all([
    anyOf(nodes, async (node) => quantityIn(await node.call('eth_estimateGas', [{ from, ...call }]))),
    anyOf(nodes, (node) => blockAt(node, 'latest')),
    anyOf(nodes, async (node) => quantityIn(await node.call('eth_maxPriorityFeePerGas', []))),
    anyOf(nodes, async (node) => quantityIn(await node.call('eth_getBalance', [from, 'latest']))),
  ]);
  const gas = (estimate * GAS_MARGIN.is) / GAS_MARGIN.of;
  const tip = askedTip > LEAST_TIP ? askedTip : LEAST_TIP;
  const maxFeePerGas = baseFee * BASE_FEE_TIMES + tip;
  const highestCost = gasCost(gas * maxFeePerGas);
  checkCost(highestCost, gasCap, heldWei);
  const raw = await signer.signTransaction({
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas: tip,
    value: 0n,
    ...call,
  });
  const hash = keccak256(raw);
  const payload: z.infer<typeof stored> = { raw, hash, nonce, gas: String(gas), ...call };
  return { id: hash, nonce, deadline: null, highestCost, payload: JSON.stringify(payload) };
}

async function submit(
  { secrets, runtime }: KeyTransactionsParts,
  node: ChainNode | undefined,
  prepared: PreparedConversion,
): Promise<SubmitOutcome> {
  const signed = readStored(prepared);
  if (signed === null || node === undefined) return { kind: 'refused', reason: 'what was prepared cannot be read' };
  try {
    const hash = await node.call('eth_sendRawTransaction', [signed.raw]);
    if (hash === signed.hash) return { kind: 'sent', id: signed.hash };
    return { kind: 'unknown', reason: 'the node answered with another transaction' };
  } catch (error) {
    const { status, text } = callFailure(error);
    const reason = secrets.clean(text) || 'no answer';
    if (error instanceof NodeRefusal) {
      if (ALREADY_THERE.test(text)) return { kind: 'sent', id: signed.hash };
      return { kind: NOT_TAKEN.test(text) ? 'refused' : 'unknown', reason };
    }
    if (status === TOO_MANY_REQUESTS)
      return { kind: 'rate_limited', reason, resetsAt: instantFromMs(runtime.now() + REST_MS) };
    return { kind: 'unknown', reason };
  }
}

async function lookUp(parts: KeyTransactionsParts, prepared: PreparedConversion): Promise<ConversionLookup> {
  const { nodes, signer, confirmations, secrets } = parts;
  const signed = readStored(prepared);
  if (signed === null) return { kind: 'unknown', reason: 'what was prepared cannot be read' };
  try {
    // Heights come first: what is mined while the rest is read is then looked for below them.
    const views = await Promise.all(nodes.map((node) => viewOf(node, signed.hash)));
    const final = Math.min(...views.map(({ height }) => height)) - confirmations;
    const noncesUsed = await agreed(nodes, 'the nonces used', (node) =>
      transactionCount(node, signer.address, final),
    ).catch(() => null);
    const verdict = judgeTransaction(views, { nonce: signed.nonce, noncesUsed, confirmations });
    return await lookupOf(verdict, {
      ...{ nodes, hash: signed.hash, owner: signer.address, paysGas: true },
      whyFailed: (receipt) => whyFailed(parts, signed, receipt),
    });
  } catch (error) {
    return { kind: 'unknown', reason: unavailable('looking up the transaction', error, secrets).message };
  }
}

/** A node's height is read before and after the rest, so that what it does not have is judged by the lower one. */
export async function viewOf(node: ChainNode, hash: string): Promise<TransactionView> {
  const before = await heightOf(node);
  const [receipt, transaction] = await Promise.all([
    receiptOf(node, hash),
    node.call('eth_getTransactionByHash', [hash]),
  ]);
  const after = await heightOf(node);
  return { height: Math.min(before, after), receipt, isKnown: receipt !== null || transaction !== null };
}

type LookupEvidence = {
  nodes: readonly ChainNode[];
  hash: string;
  owner: Hex;
  paysGas: boolean;
  whyFailed: (receipt: Receipt) => Promise<string>;
};

/** A verdict in the words of the port. What it has moved is answered once its logs and the balances around it agree. */
export async function lookupOf(
  verdict: Verdict,
  { nodes, hash, owner, paysGas, whyFailed }: LookupEvidence,
): Promise<ConversionLookup> {
  if (!('receipt' in verdict)) return verdict;
  const { kind, receipt } = verdict;
  const { block } = receipt;
  if (kind === 'mined') return { kind, hash, block };
  const gas = paysGas ? gasCost(receipt.gasUsed * receipt.gasPrice) : null;
  if (kind === 'failed') return { kind, hash, block, gas, reason: await whyFailed(receipt) };
  const moved = movesOf(receipt.logs, owner);
  const reason = await contradiction(nodes, { owner, block, tokenIds: [...moved.shares.keys()] });
  return reason === null ? { kind, hash, block, gas, moved } : { kind: 'unknown', reason };
}

/** Nodes rarely keep the reason: where this one did not, the call is tried once more on the state that it met. */
async function whyFailed(
  { nodes, signer, secrets }: KeyTransactionsParts,
  { gas, to, data }: z.infer<typeof stored>,
  receipt: Receipt,
): Promise<string> {
  const kept = revertReason(receipt.revertReason);
  if (kept !== null) return secrets.clean(kept);
  if (receipt.gasUsed >= BigInt(gas)) return 'out of gas';
  const call = { from: signer.address, to: hex(to), data: hex(data) };
  try {
    await anyOf(nodes, (node) => callContract(node, call, receipt.block - 1));
  } catch (error) {
    if (error instanceof NodeRefusal) return secrets.clean(refusalText(error));
  }
  return 'reverted without a reason';
}

/** The contract's own reason where it gave one. */
export function refusalText(error: NodeRefusal): string {
  return revertReason(error.data) ?? error.message;
}

function readStored({ payload }: PreparedConversion): z.infer<typeof stored> | null {
  try {
    return stored.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
