import { instantFromMs } from '@dutchbook/units/instant.ts';
import { decodeFunctionResult, encodeFunctionData, type Hex, type LocalAccount } from 'viem';
import { z } from 'zod';
import { VenueUnavailable } from '../../venue.ts';
import { type ConversionLookup, ConversionRefused, type PreparedConversion } from '../../venue-chain.ts';
import { type Secrets, unavailable } from '../errors.ts';
import { RELAY_HUB_ABI, WALLET_ABI } from './abis.ts';
import { RELAY_HUB } from './addresses.ts';
import type { ContractCall } from './encode-conversion.ts';
import { type BatchEvidence, endedBadly, judgeRelayed } from './judge-relayed.ts';
import { lookupOf, type Sender, viewOf } from './key-transactions.ts';
import {
  agreed,
  anyOf,
  blockAt,
  type ChainNode,
  callContract,
  commonHeight,
  NodeRefusal,
  type Receipt,
  revertReason,
} from './nodes.ts';
import type { Relayed, RelayerApi, RelayRequest, WalletType } from './relayer-api.ts';
import { signRequest } from './sign-request.ts';

export type WalletBatchesParts = {
  type: WalletType;
  wallet: Hex;
  signer: LocalAccount;
  nodes: readonly ChainNode[];
  relayer: RelayerApi;
  secrets: Secrets;
  confirmations: number;
};

/** More than an event has members, and well below the gas of a block. */
const CALLS_MAX = 50;
/** As the official client signs it: until then a submission without an answer may still be carried out. */
const DEADLINE_S = 600;
const SECOND_MS = 1_000;

const stored = z.object({
  id: z.string(),
  nonce: z.int(),
  deadlineS: z.int().nullable(),
  request: z.looseObject({
    type: z.enum(['PROXY', 'SAFE', 'WALLET']),
    nonce: z.string(),
    signature: z.string(),
    metadata: z.string(),
  }),
});
type StoredBatch = z.infer<typeof stored>;

/** Batches of a wallet that is a contract, which the relayer carries to the chain and pays for. */
export function openWalletBatches(parts: WalletBatchesParts): Sender {
  return {
    callsMax: CALLS_MAX,
    prepare: (calls) => prepare(parts, calls),
    submit: async (prepared) => {
      const batch = readStored(prepared);
      if (batch === null) return { kind: 'refused', reason: 'what was prepared cannot be read' };
      return parts.relayer.submit(batch.request as RelayRequest);
    },
    lookUp: (prepared, sentAs) => lookUp(parts, prepared, sentAs),
  };
}

async function prepare(
  { type, wallet, signer, nodes, relayer }: WalletBatchesParts,
  calls: readonly ContractCall[],
): Promise<PreparedConversion> {
  const [first] = calls;
  if (first === undefined || calls.length > CALLS_MAX)
    throw new ConversionRefused(`a submission holds from 1 to ${CALLS_MAX} calls`);
  const [{ nonce, relay }, { timestampS }] = await Promise.all([
    relayer.nonce(type),
    anyOf(nodes, (node) => blockAt(node, 'latest')),
    // Of the others each may need what the one before it gives.
    anyOf(nodes, (node) => callContract(node, { from: wallet, ...first })),
  ]);
  const deadlineS = timestampS + DEADLINE_S;
  const { id, request } = await signRequest({ type, signer, wallet, nonce, calls, deadlineS, relay });
  const expires = type === 'WALLET' ? deadlineS : null;
  const payload: StoredBatch = { id, nonce, deadlineS: expires, request };
  const deadline = expires === null ? null : instantFromMs(expires * SECOND_MS);
  return { id, nonce, deadline, highestCost: null, payload: JSON.stringify(payload) };
}

async function lookUp(
  parts: WalletBatchesParts,
  prepared: PreparedConversion,
  sentAs: string | undefined,
): Promise<ConversionLookup> {
  const batch = readStored(prepared);
  if (batch === null) return { kind: 'unknown', reason: 'what was prepared cannot be read' };
  try {
    const records = await recordsOf(parts, batch, sentAs);
    const hash = records.record?.transactionHash ?? '';
    const views = hash === '' ? [] : await Promise.all(parts.nodes.map((node) => viewOf(node, hash)));
    const evidence: BatchEvidence = { ...records, views, final: await finalBlockOf(parts) };
    const { nonce, deadlineS } = batch;
    const verdict = judgeRelayed(evidence, { nonce, deadlineS, confirmations: parts.confirmations });
    const { nodes, wallet: owner, secrets } = parts;
    const whyFailed = async ({ revertReason: kept }: Receipt) =>
      secrets.clean(revertReason(kept) ?? records.record?.errorMsg ?? 'reverted without a reason');
    if (verdict.kind === 'given_up') return { ...verdict, reason: secrets.clean(verdict.reason) };
    return await lookupOf(verdict, { nodes, hash, owner, paysGas: false, whyFailed });
  } catch (error) {
    return { kind: 'unknown', reason: unavailable('looking up the submission', error, parts.secrets).message };
  }
}

/** A relayer that does not answer says nothing; the chain may still prove something. */
async function recordsOf(
  { relayer, wallet }: WalletBatchesParts,
  { id, nonce, request }: StoredBatch,
  sentAs: string | undefined,
): Promise<Pick<BatchEvidence, 'record' | 'others'>> {
  const isOurs = ({ metadata, signature }: Relayed) => metadata === id || signature === request.signature;
  try {
    const named = sentAs === undefined ? null : await relayer.one(sentAs);
    if (named !== null && !endedBadly(named)) return { record: named, others: [] };
    // Bytes may have been posted twice: a record that may be carried out counts more than one that failed.
    const recent = await relayer.recent();
    const others = recent.filter(
      (one) => one.nonce === String(nonce) && !isOurs(one) && one.proxyAddress?.toLowerCase() === wallet.toLowerCase(),
    );
    const ours = [...(named === null ? [] : [named]), ...recent.filter(isOurs)];
    const record = ours.find((one) => !endedBadly(one)) ?? ours.find((one) => one.transactionHash) ?? ours[0] ?? null;
    return { record, others };
  } catch (error) {
    if (error instanceof VenueUnavailable) return { record: undefined, others: undefined };
    throw error;
  }
}

async function finalBlockOf({
  type,
  wallet,
  signer,
  nodes,
  confirmations,
}: WalletBatchesParts): Promise<BatchEvidence['final']> {
  try {
    const height = (await commonHeight(nodes)) - confirmations;
    const { timestampS } = await agreed(nodes, 'a block', (node) => blockAt(node, height));
    const nonceOf = type === 'PROXY' ? hubNonceAt(signer.address, height) : nonceAt(wallet, height);
    const walletNonce = await agreed(nodes, "the wallet's nonce", nonceOf);
    return { timestampS, walletNonce };
  } catch (error) {
    if (error instanceof VenueUnavailable || error instanceof NodeRefusal) return undefined;
    throw error;
  }
}

function nonceAt(wallet: Hex, height: number): (node: ChainNode) => Promise<number> {
  return async (node) => {
    const data = encodeFunctionData({ abi: WALLET_ABI });
    const returned = await callContract(node, { to: wallet, data }, height);
    // No code is there yet: nothing was ever carried out.
    return returned === '0x' ? 0 : Number(decodeFunctionResult({ abi: WALLET_ABI, data: returned }));
  };
}

/** The hub counts what it has relayed for the key of a proxy wallet. Null where it is not there. */
function hubNonceAt(key: Hex, height: number): (node: ChainNode) => Promise<number | null> {
  return async (node) => {
    const data = encodeFunctionData({ abi: RELAY_HUB_ABI, args: [key] });
    const returned = await callContract(node, { to: RELAY_HUB, data }, height);
    return returned === '0x' ? null : Number(decodeFunctionResult({ abi: RELAY_HUB_ABI, data: returned }));
  };
}

function readStored({ payload }: PreparedConversion): StoredBatch | null {
  try {
    return stored.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
