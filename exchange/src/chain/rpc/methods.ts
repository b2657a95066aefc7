import { type Hex, numberToHex, zeroAddress } from 'viem';
import { z } from 'zod';
import type { Chain } from '../chain.ts';
import type { Call } from '../contracts/call.ts';
import { isContract } from '../contracts/contracts.ts';
import type { Revert } from '../contracts/ledger.ts';
import { BASE_FEE, PRIORITY_FEE } from '../keys.ts';
import { RpcError } from './error.ts';
import { findLogs, withPlaces } from './logs.ts';
import { address, blockTag, callObject, hash, heightOf, paramsOf, stateHeightOf } from './params.ts';
import { CHAIN_ID } from './raw-transaction.ts';
import { wireBlock, wireReceipt, wireTransaction } from './shapes.ts';
import type { ChainView } from './view.ts';

type Method = (params: readonly unknown[], view: ChainView, chain: Chain) => unknown;

/** Some code, which no machine runs: there is a contract. */
const CODE: Hex = '0x60806040';
const SELECTOR_CHARS = 10;
const FEE_HISTORY_MAX = 1_024;
const BLOCKS_BACK_MAX = 10_000;

/** What a node answers from what it knows; sending is with the routes. */
export const RPC_METHODS: Readonly<Record<string, Method>> = {
  eth_chainId: () => numberToHex(CHAIN_ID),
  net_version: () => String(CHAIN_ID),
  eth_blockNumber: (_, view) => numberToHex(view.height()),
  eth_gasPrice: () => numberToHex(BASE_FEE + PRIORITY_FEE),
  eth_maxPriorityFeePerGas: () => numberToHex(PRIORITY_FEE),
  eth_feeHistory: feeHistory,
  eth_getCode: (params, _, chain) => {
    const [account] = paramsOf([address, blockTag], params);
    return isContract(account) || chain.wallets.isDeployed(account) ? CODE : '0x';
  },
  eth_getBalance: (params, _, chain) => {
    const [account] = paramsOf([address, blockTag], params);
    const wei = chain.keys.wei(account);
    return numberToHex(wei < 0n ? 0n : wei);
  },
  eth_getTransactionCount: (params, view, chain) => {
    const [account, tag] = paramsOf([address, blockTag], params);
    if (tag === 'pending') return numberToHex(chain.keys.pendingNonce(account, chain.pool));
    return numberToHex(view.nonceAt(account, stateHeightOf(tag, view)));
  },
  eth_call: (params, view, chain) => {
    const [wanted, tag] = paramsOf([callObject, blockTag], params);
    const { revert, returned } = view.at(stateHeightOf(tag, view), () => chain.tryOut([callOf(wanted)]));
    if (revert !== undefined) throw executionReverted(revert);
    return returned;
  },
  eth_estimateGas: (params, view, chain) => {
    const [wanted, tag] = paramsOf([callObject, blockTag], params);
    const { revert, gasUsed } = view.at(stateHeightOf(tag, view), () => chain.tryOut([callOf(wanted)]));
    if (revert !== undefined) throw executionReverted(revert);
    return numberToHex(gasUsed);
  },
  eth_getBlockByNumber: (params, view, chain) => {
    const [tag, isWhole] = paramsOf([blockTag, z.boolean().default(false)], params);
    const height = Number.isInteger(Number(tag)) && Number(tag) > view.height() ? undefined : heightOf(tag, view);
    return height === undefined ? null : blockAt(height, isWhole, view, chain);
  },
  eth_getBlockByHash: (params, view, chain) => {
    const [wanted, isWhole] = paramsOf([hash, z.boolean().default(false)], params);
    const height = chain.blocks.heightOf(wanted, BLOCKS_BACK_MAX);
    return height === undefined || height > view.height() ? null : blockAt(height, isWhole, view, chain);
  },
  eth_getTransactionByHash: (params, view, chain) => {
    const [wanted] = paramsOf([hash], params);
    const transaction = view.transaction(wanted);
    if (transaction === undefined) return null;
    return wireTransaction(transaction, chain.blocks, view.mined(wanted) !== undefined);
  },
  eth_getTransactionReceipt: (params, view, chain) => {
    const [wanted] = paramsOf([hash], params);
    const height = view.mined(wanted)?.mined.height;
    if (height === undefined) return null;
    const placed = withPlaces(view.minedBetween(height, height)).find(({ transaction }) => transaction.hash === wanted);
    return placed === undefined ? null : wireReceipt(placed.transaction, chain.blocks, placed.logsBefore);
  },
  eth_getLogs: (params, view, chain) => findLogs(params, view, chain.blocks),
};

function feeHistory(params: readonly unknown[], view: ChainView): object {
  const count = z.union([z.int(), z.string().regex(/^0x[0-9a-fA-F]+$/)]).transform(Number);
  const [blocks, tag, percentiles] = paramsOf([count, blockTag, z.array(z.number()).max(100).nullish()], params);
  const shown = Math.min(Math.max(blocks, 1), FEE_HISTORY_MAX);
  const each = <T>(value: T, length: number) => Array.from({ length }, () => value);
  return {
    oldestBlock: numberToHex(heightOf(tag, view) - shown + 1),
    baseFeePerGas: each(numberToHex(BASE_FEE), shown + 1),
    gasUsedRatio: each(0.5, shown),
    reward: each(each(numberToHex(PRIORITY_FEE), percentiles?.length ?? 0), shown),
  };
}

function callOf({ from, to, data, input }: z.infer<typeof callObject>): Call {
  return { from: from ?? zeroAddress, to: to ?? zeroAddress, data: data ?? input ?? '0x' };
}

function executionReverted({ message, data }: Revert): RpcError {
  // A node reads plain reasons alone.
  const isPlain = data.length > SELECTOR_CHARS;
  return new RpcError(3, isPlain ? `execution reverted: ${message}` : 'execution reverted', data);
}

function blockAt(height: number, isWhole: boolean, view: ChainView, { blocks }: Chain) {
  return wireBlock(height, blocks, view.minedBetween(height, height), isWhole);
}
