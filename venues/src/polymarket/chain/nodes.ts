import { decodeErrorResult, type Hex, isHex, numberToHex, parseAbi } from 'viem';
import { z } from 'zod';
import { createJsonApi } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import { CHAIN_ID } from './addresses.ts';

/** A node answered that it will not, or cannot, do what it was asked. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  /** What the contract gave as its reason, as it lays it out. */
  readonly data: string | undefined;

  constructor(message: string, data?: string) {
    super(message);
    this.data = data;
  }
}

/** One node of the chain. `call` throws NodeRefusal, and VenueUnavailable where there is no clear answer. */
export type ChainNode = { call(method: string, params: readonly unknown[]): Promise<unknown> };

const answer = z.union([
  z.object({ error: z.object({ message: z.string(), data: z.unknown().optional() }) }),
  z.object({ result: z.unknown() }),
]);
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
const block = z.object({ number: quantity, hash: z.string(), timestamp: quantity, baseFeePerGas: quantity.optional() });
const receipt = z.object({
  blockNumber: quantity,
  blockHash: z.string(),
  status: z.enum(['0x0', '0x1']),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  revertReason: z.string().optional(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});

export type Block = { number: number; timestampS: number; baseFee: bigint };

/** What a node says of a transaction that is in a block. */
export type Receipt = {
  block: number;
  blockHash: string;
  isSuccess: boolean;
  gasUsed: bigint;
  gasPrice: bigint;
  revertReason: string | undefined;
  logs: readonly ReceiptLog[];
};

export type ReceiptLog = z.output<typeof receipt>['logs'][number];

/** Nodes by their addresses; an address may hold a key of its provider, so that none is ever named. */
export function openNodes(urls: readonly string[], timeoutMs: number, runtime: VenueRuntime): ChainNode[] {
  return urls.map((url) => {
    const api = createJsonApi(url, timeoutMs, runtime);
    const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const parsed = answer.safeParse(await api.post('', { jsonrpc: '2.0', id: 1, method, params }));
      if (parsed.success && 'error' in parsed.data) {
        const { message, data } = parsed.data.error;
        throw new NodeRefusal(message, typeof data === 'string' ? data : undefined);
      }
      if (parsed.success && 'result' in parsed.data) return parsed.data.result;
      throw new VenueUnavailable(`a node did not answer ${method}`);
    };
    let isRightChain = false;
    return {
      call: async (method, params) => {
        if (!isRightChain && Number(await call('eth_chainId', [])) !== CHAIN_ID)
          throw new VenueUnavailable(`a node is not one of chain ${CHAIN_ID}`);
        isRightChain = true;
        return call(method, params);
      },
    };
  });
}

/** What all nodes say, which must be the same. Throws VenueUnavailable, and NodeRefusal where all refuse. */
export async function agreed<T>(
  nodes: readonly ChainNode[],
  what: string,
  read: (node: ChainNode) => Promise<T>,
): Promise<T> {
  const answers = await Promise.allSettled(nodes.map(read));
  const [first] = answers;
  const failures = answers.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
  if (first?.status === 'rejected' && failures.length === nodes.length && failures.every(isRefusal)) throw first.reason;
  if (first?.status !== 'fulfilled' || failures.length > 0)
    throw failures.find((reason) => reason instanceof VenueUnavailable) ?? disagreement(what);
  const isSame = answers.every((one) => one.status === 'fulfilled' && textOf(one.value) === textOf(first.value));
  if (!isSame) throw disagreement(what);
  return first.value;
}

/**
 * What the first node says that has an answer: one that is behind may refuse what another takes. Throws NodeRefusal where no
 * node took it and one refused, else VenueUnavailable.
 */
export async function anyOf<T>(nodes: readonly ChainNode[], read: (node: ChainNode) => Promise<T>): Promise<T> {
  let why: unknown = new VenueUnavailable('there is no node');
  for (const node of nodes) {
    try {
      return await read(node);
    } catch (error) {
      if (!(error instanceof VenueUnavailable || error instanceof NodeRefusal)) throw error;
      if (!isRefusal(why)) why = error;
    }
  }
  throw why;
}

/** The newest block that every node has. Throws VenueUnavailable. */
export async function commonHeight(nodes: readonly ChainNode[]): Promise<number> {
  return Math.min(...(await Promise.all(nodes.map(heightOf))));
}

export async function heightOf(node: ChainNode): Promise<number> {
  return Number(quantityIn(await node.call('eth_blockNumber', [])));
}

export async function blockAt(node: ChainNode, tag: number | 'latest'): Promise<Block> {
  const raw = await node.call('eth_getBlockByNumber', [tag === 'latest' ? tag : numberToHex(tag), false]);
  const parsed = block.safeParse(raw);
  if (!parsed.success) throw new VenueUnavailable('a node does not have the block');
  const { number, timestamp, baseFeePerGas = '0x0' } = parsed.data;
  return { number: Number(number), timestampS: Number(timestamp), baseFee: BigInt(baseFeePerGas) };
}

/** Null where the node has it in no block. */
export async function receiptOf(node: ChainNode, hash: string): Promise<Receipt | null> {
  const raw = await node.call('eth_getTransactionReceipt', [hash]);
  if (raw === null) return null;
  const parsed = receipt.safeParse(raw);
  if (!parsed.success) throw new VenueUnavailable('a receipt cannot be read');
  const { blockNumber, status, gasUsed, effectiveGasPrice, ...rest } = parsed.data;
  return {
    block: Number(blockNumber),
    blockHash: rest.blockHash,
    isSuccess: status === '0x1',
    gasUsed: BigInt(gasUsed),
    gasPrice: BigInt(effectiveGasPrice),
    revertReason: rest.revertReason,
    logs: rest.logs,
  };
}

export async function callContract(
  node: ChainNode,
  { from, to, data }: { from?: Hex; to: Hex; data: Hex },
  at: number | 'latest' = 'latest',
): Promise<Hex> {
  const tag = at === 'latest' ? at : numberToHex(at);
  const returned = await node.call('eth_call', [{ ...(from === undefined ? {} : { from }), to, data }, tag]);
  if (!isHex(returned)) throw new VenueUnavailable('a node returned something that is no call data');
  return returned;
}

/** How many transactions a key has sent, in the blocks up to `at` or with those that wait. */
export async function transactionCount(node: ChainNode, key: string, at: number | 'pending'): Promise<number> {
  return Number(quantityIn(await node.call('eth_getTransactionCount', [key, at === 'pending' ? at : numberToHex(at)])));
}

/** @throws VenueUnavailable where it is none */
export function quantityIn(raw: unknown): bigint {
  const parsed = quantity.safeParse(raw);
  if (!parsed.success) throw new VenueUnavailable('a node answered with something that is no number');
  return BigInt(parsed.data);
}

const ERRORS_ABI = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error MarketNotPrepared()',
  'error NoConvertiblePositions()',
  'error InvalidIndexSet()',
]);

/** Why a contract took its work back, by what it returned; null where it gave no reason. */
export function revertReason(data: string | undefined): string | null {
  if (data === undefined || data === '0x' || !isHex(data)) return null;
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS_ABI, data });
    return errorName === 'Error' ? args[0] : `${errorName}${args === undefined ? '' : ` ${args[0]}`}`;
  } catch {
    return `error ${data.slice(0, 10)}`;
  }
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof NodeRefusal;
}

function disagreement(what: string): VenueUnavailable {
  return new VenueUnavailable(`the nodes do not agree on ${what}`);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '';
}
