import {
  concatHex,
  decodeFunctionData,
  type Hex,
  hashMessage,
  keccak256,
  numberToHex,
  parseAbi,
  stringToHex,
} from 'viem';
import type { Call } from '../contracts/call.ts';
import type { ProxyBody } from './submission.ts';

const PROXY_ABI = parseAbi([
  'function proxy((uint8 typeCode, address to, uint256 value, bytes data)[] calls) payable returns (bytes[])',
]);
const PREFIX = stringToHex('rlx:');

/** What the key of a proxy wallet signs as a message: the request to the relay hub. */
export function proxyHash({ from, to, data, nonce, signatureParams }: ProxyBody): Hex {
  const word = (amount: string) => numberToHex(BigInt(amount), { size: 32 });
  const { relayerFee, gasPrice, gasLimit, relayHub, relay } = signatureParams;
  const amounts = [word(relayerFee), word(gasPrice), word(gasLimit), word(nonce)];
  return hashMessage({ raw: keccak256(concatHex([PREFIX, from, to, data, ...amounts, relayHub, relay])) });
}

/** @throws for calldata of another function */
export function proxyCalls({ data, proxyWallet }: ProxyBody): Call[] {
  const { args } = decodeFunctionData({ abi: PROXY_ABI, data });
  return args[0].map((call) => ({ from: proxyWallet, to: call.to, data: call.data }));
}
