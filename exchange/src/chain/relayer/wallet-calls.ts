import { decodeFunctionData, type Hex, parseAbi, size, slice } from 'viem';
import type { Call } from '../contracts/call.ts';
import { proxyCalls } from './proxy.ts';
import { type SubmitBody, walletOf } from './submission.ts';

const MULTISEND_ABI = parseAbi(['function multiSend(bytes transactions)']);
/** Of each call in the packed bytes: one byte of operation, 20 of address, 32 of value and 32 of length. */
const HEAD_BYTES = 85;
const CALLS_MAX = 100;

/** What the wallet is asked to carry out; undefined where its calldata cannot be read. */
export function walletCalls(body: SubmitBody): Call[] | undefined {
  const from = walletOf(body);
  if (body.type === 'WALLET') {
    return body.depositWalletParams.calls.map(({ target, data }) => ({ from, to: target, data }));
  }
  if (body.type === 'SAFE' && body.signatureParams.operation === '0') {
    return [{ from, to: body.to, data: body.data }];
  }
  try {
    if (body.type === 'PROXY') return bounded(proxyCalls(body));
    const { args } = decodeFunctionData({ abi: MULTISEND_ABI, data: body.data });
    return unpacked(args[0], from);
  } catch {
    return undefined;
  }
}

/** @throws for bytes that end inside a call */
function unpacked(packed: Hex, from: Hex): Call[] | undefined {
  const calls: Call[] = [];
  for (let at = 0; at < size(packed); ) {
    const length = Number(slice(packed, at + 53, at + HEAD_BYTES));
    const data = length === 0 ? '0x' : slice(packed, at + HEAD_BYTES, at + HEAD_BYTES + length, { strict: true });
    calls.push({ from, to: slice(packed, at + 1, at + 21), data });
    at += HEAD_BYTES + length;
  }
  return bounded(calls);
}

function bounded(calls: Call[]): Call[] | undefined {
  return calls.length === 0 || calls.length > CALLS_MAX ? undefined : calls;
}
