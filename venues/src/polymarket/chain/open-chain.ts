import type { MarketId } from '@dutchbook/units/ids.ts';
import { isHex, type LocalAccount } from 'viem';
import type { JsonApi } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import { ConversionRefused, type ConversionRequest, type VenueChain } from '../../venue-chain.ts';
import type { TradingAccount } from '../auth.ts';
import type { PolymarketConfig, SignatureType } from '../config.ts';
import { type Secrets, unavailable } from '../errors.ts';
import { readApprovals, readBalances, readFeeBips } from './account-reads.ts';
import { CHAIN_ID } from './addresses.ts';
import { readTransfers } from './cash-transfers.ts';
import { encodeConversions } from './encode-conversion.ts';
import { openKeyTransactions, refusalText, type Sender } from './key-transactions.ts';
import { openMarketIds } from './market-ids.ts';
import { type ChainNode, NodeRefusal, openNodes } from './nodes.ts';
import { openRelayerApi, type RelayerApi, type WalletType } from './relayer-api.ts';
import { openWalletBatches } from './wallet-batches.ts';

export type ChainParts = {
  config: PolymarketConfig;
  runtime: VenueRuntime;
  account: TradingAccount;
  gamma: JsonApi;
  secrets: Secrets;
};

const WALLET_TYPES: Record<Exclude<SignatureType, 0>, WalletType> = { 1: 'PROXY', 2: 'SAFE', 3: 'WALLET' };

/**
 * Opens the chain for the account; nothing is asked of it yet. Null where it is not configured: without a node, on another
 * chain than Polygon, and for a wallet that is a contract without the relayer and its key.
 */
export function openChain(parts: ChainParts): VenueChain | null {
  const { config, runtime, account, gamma, secrets } = parts;
  const { chain, requestTimeoutMs, signatureType } = config;
  const { confirmations } = chain;
  const signer = account.signer;
  if (chain.rpcUrls.length === 0 || config.chainId !== CHAIN_ID) return null;
  for (const secret of [...chain.rpcUrls.flatMap(keysInUrl), chain.relayerKey ?? '']) secrets.add(secret);
  const nodes = openNodes(chain.rpcUrls, requestTimeoutMs, runtime);
  const relayer = signatureType === 0 ? null : openRelayer(parts, signer);
  const sender = senderOf(parts, { nodes, signer, relayer });
  if (sender === null) return null;
  const owner = account.maker;
  if (!isHex(owner)) return null;
  const idsOf = openMarketIds(gamma);
  const senders = { rewards: chain.rewardSenders, rebates: chain.rebateSenders, own: [signer.address] };
  const reading = async <T>(what: string, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw unavailable(what, error, secrets);
    }
  };
  return {
    callsMax: sender.callsMax,
    mergesLines: chain.directional,
    prepare: async (requests) => {
      try {
        const marketIds = requests.flatMap(marketsOf);
        const ids = await idsOf(marketIds);
        return await sender.prepare(encodeConversions(requests, { ids, directional: chain.directional }));
      } catch (error) {
        throw notPrepared(error, secrets);
      }
    },
    submit: (prepared) => sender.submit(prepared),
    lookUp: (prepared, sentAs) => sender.lookUp(prepared, sentAs),
    balances: (tokenIds) => reading('reading the balances on chain', () => readBalances(nodes, owner, tokenIds)),
    transfers: (block) =>
      reading('reading the transfers on chain', () => readTransfers(nodes, { owner, senders, block, confirmations })),
    approvals: () => reading('reading the approvals on chain', () => readApprovals(nodes, owner)),
    redeemedAsWhole: (marketIds) =>
      reading('reading how markets are redeemed', () => ofFirstProtocol(idsOf, marketIds)),
    quota: () => relayer?.quota() ?? null,
    feeBips: (marketId) =>
      reading('reading the fee of converting', async () => {
        const ids = (await idsOf([marketId])).get(marketId);
        if (ids === undefined) throw new VenueUnavailable(`the market ${marketId} is not known`);
        return readFeeBips(nodes, ids);
      }),
  };
}

function openRelayer({ config, runtime, secrets }: ChainParts, signer: LocalAccount): RelayerApi | null {
  const { relayerUrl: url, relayerKey: key } = config.chain;
  if (url === null || key === null) return null;
  return openRelayerApi({ url, key, owner: signer.address, timeoutMs: config.requestTimeoutMs, runtime, secrets });
}

function senderOf(
  { config, runtime, account, secrets }: ChainParts,
  { nodes, signer, relayer }: { nodes: ChainNode[]; signer: LocalAccount; relayer: RelayerApi | null },
): Sender | null {
  const { gasCap, confirmations } = config.chain;
  const { signatureType } = config;
  const wallet = account.maker;
  if (signatureType === 0) return openKeyTransactions({ nodes, signer, runtime, secrets, gasCap, confirmations });
  if (relayer === null || !isHex(wallet)) return null;
  return openWalletBatches({
    type: WALLET_TYPES[signatureType],
    wallet,
    signer,
    nodes,
    relayer,
    secrets,
    confirmations,
  });
}

/** Its contracts redeem whole markets. */
async function ofFirstProtocol(
  idsOf: ReturnType<typeof openMarketIds>,
  marketIds: readonly MarketId[],
): Promise<ReadonlySet<string>> {
  // Read together first; one that is not known would have all of them refused.
  await known(idsOf(marketIds));
  const found = new Set<string>();
  for (const id of marketIds) if ((await known(idsOf([id])))?.get(id)?.protocol === 1) found.add(id);
  return found;
}

async function known<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ConversionRefused) return null;
    throw error;
  }
}

function marketsOf(request: ConversionRequest): readonly string[] {
  if (request.kind === 'approve') return [];
  return request.kind === 'redeem' ? [request.marketId] : request.marketIds;
}

const REVERTED = /revert|insufficient funds/i;

function notPrepared(error: unknown, secrets: Secrets): Error {
  if (error instanceof ConversionRefused) return error;
  if (error instanceof NodeRefusal && REVERTED.test(error.message)) {
    return new ConversionRefused(secrets.clean(`the chain would refuse it: ${refusalText(error)}`));
  }
  return unavailable('preparing the submission', error, secrets);
}

/** Providers put their keys behind the name of their node. */
function keysInUrl(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  return [...pathname.split('/'), ...searchParams.values()];
}
