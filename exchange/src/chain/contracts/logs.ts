import {
  type Abi,
  type ContractEventName,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
  zeroAddress,
} from 'viem';
import { HOLDINGS_ABI, PUSD_ABI } from './abis.ts';
import { PUSD } from './addresses.ts';

/** A log as a contract writes it, before its transaction has a place in a block. */
export interface EncodedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The log of an event with all its arguments. */
export function encodeLog<const A extends Abi, N extends ContractEventName<A>>(
  address: Hex,
  abi: A,
  eventName: N,
  args: Readonly<Record<string, unknown>>,
): EncodedLog {
  const item = getAbiItem({ abi, name: eventName } as never) as { inputs: readonly EventInput[] };
  const plain = item.inputs.filter(({ indexed }) => indexed !== true);
  const topics = encodeEventTopics({ abi, eventName, args } as never) as Hex[];
  const data = encodeAbiParameters(plain as never, plain.map(({ name }) => args[name ?? '']) as never);
  return { address, topics, data };
}

interface EventInput {
  readonly name?: string;
  readonly indexed?: boolean;
}

/** The logs of tokens that appear at an address, or are burnt there; one transfer for all of each kind. */
export function tokenLogs(
  contract: Hex,
  operator: Hex,
  owner: Hex,
  tokens: readonly (readonly [string, number])[],
): EncodedLog[] {
  const groups = [tokens.filter(([, micro]) => micro < 0), tokens.filter(([, micro]) => micro > 0)];
  return groups.flatMap((group, position) => {
    const [first] = group;
    if (first === undefined) return [];
    const [from, to] = position === 0 ? [owner, zeroAddress] : [zeroAddress, owner];
    const ids = group.map(([tokenId]) => BigInt(tokenId));
    const values = group.map(([, micro]) => BigInt(Math.abs(micro)));
    if (group.length === 1) {
      const args = { operator, from, to, id: ids[0] ?? 0n, value: values[0] ?? 0n };
      return [encodeLog(contract, HOLDINGS_ABI, 'TransferSingle', args)];
    }
    return [encodeLog(contract, HOLDINGS_ABI, 'TransferBatch', { operator, from, to, ids, values })];
  });
}

/** The log of dollars that a contract pays, or takes. */
export function cashLogs(contract: Hex, owner: Hex, usd: number): EncodedLog[] {
  if (usd === 0) return [];
  const [from, to] = usd < 0 ? [owner, contract] : [contract, owner];
  return [encodeLog(PUSD, PUSD_ABI, 'Transfer', { from, to, value: BigInt(Math.abs(usd)) })];
}
