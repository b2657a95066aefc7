import { type Hex, numberToHex, zeroHash } from 'viem';
import { hashId } from '../../catalogue/ids.ts';
import type { Blocks } from '../blocks.ts';
import { BASE_FEE, BLOCK_GAS_LIMIT, gasPriceOf } from '../keys.ts';
import type { ChainTransaction } from '../transactions.ts';
import { CHAIN_ID } from './raw-transaction.ts';
import type { MinedTransaction } from './view.ts';

const NO_BLOOM: Hex = `0x${'00'.repeat(256)}`;
const TYPES = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' } as const;

export function wireTransaction(transaction: ChainTransaction, blocks: Blocks, isMined: boolean) {
  const { mined, type, ...fields } = transaction;
  const place = isMined ? mined : undefined;
  const isDynamic = type === 'eip1559';
  return {
    hash: fields.hash,
    from: fields.from,
    to: fields.to,
    nonce: numberToHex(fields.nonce),
    gas: numberToHex(fields.gas),
    gasPrice: numberToHex(place === undefined ? BigInt(fields.maxFeePerGas) : gasPriceOf(fields)),
    ...(isDynamic ? { maxFeePerGas: fields.maxFeePerGas, maxPriorityFeePerGas: fields.maxPriorityFeePerGas } : {}),
    value: fields.value,
    input: fields.data,
    type: TYPES[type],
    chainId: numberToHex(CHAIN_ID),
    accessList: [],
    blockHash: place === undefined ? null : blocks.hashOf(place.height),
    blockNumber: place === undefined ? null : numberToHex(place.height),
    transactionIndex: place === undefined ? null : numberToHex(place.index),
    v: '0x0',
    r: zeroHash,
    s: zeroHash,
  };
}

/** @param logsBefore of transactions before it in its block */
export function wireReceipt(transaction: MinedTransaction, blocks: Blocks, logsBefore: number) {
  const { mined, from, to, hash, type } = transaction;
  return {
    transactionHash: hash,
    transactionIndex: numberToHex(mined.index),
    blockHash: blocks.hashOf(mined.height),
    blockNumber: numberToHex(mined.height),
    from,
    to,
    contractAddress: null,
    cumulativeGasUsed: numberToHex(mined.gasUsed),
    gasUsed: numberToHex(mined.gasUsed),
    effectiveGasPrice: numberToHex(gasPriceOf(transaction)),
    logs: wireLogs(transaction, blocks, logsBefore),
    logsBloom: NO_BLOOM,
    status: mined.isSuccess ? '0x1' : '0x0',
    ...(mined.revertData === '0x' ? {} : { revertReason: mined.revertData }),
    type: TYPES[type],
  };
}

export function wireLogs({ mined, hash }: MinedTransaction, blocks: Blocks, logsBefore: number) {
  return mined.logs.map(({ address, topics, data }, position) => ({
    address,
    topics,
    data,
    blockNumber: numberToHex(mined.height),
    blockHash: blocks.hashOf(mined.height),
    transactionHash: hash,
    transactionIndex: numberToHex(mined.index),
    logIndex: numberToHex(logsBefore + position),
    removed: false,
  }));
}

export function wireBlock(height: number, blocks: Blocks, mined: readonly MinedTransaction[], isWhole: boolean) {
  const used = mined.reduce((sum, one) => sum + one.mined.gasUsed, 0);
  return {
    number: numberToHex(height),
    hash: blocks.hashOf(height),
    parentHash: blocks.hashOf(height - 1),
    nonce: '0x0000000000000000',
    sha3Uncles: zeroHash,
    logsBloom: NO_BLOOM,
    transactionsRoot: zeroHash,
    stateRoot: hashId('state', height),
    receiptsRoot: zeroHash,
    miner: '0x0000000000000000000000000000000000000000',
    difficulty: '0x1',
    totalDifficulty: '0x1',
    extraData: '0x',
    size: '0x400',
    gasLimit: numberToHex(BLOCK_GAS_LIMIT),
    gasUsed: numberToHex(used),
    timestamp: numberToHex(Math.floor(blocks.timeMs(height) / 1000)),
    baseFeePerGas: numberToHex(BASE_FEE),
    mixHash: zeroHash,
    transactions: mined.map((one) => (isWhole ? wireTransaction(one, blocks, true) : one.hash)),
    uncles: [],
  };
}
