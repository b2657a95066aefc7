/** What transactions have moved of the account, read from their logs and held against its balances. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { decodeEventLog, encodeEventTopics, type Hex, numberToHex, pad } from 'viem';
import { z } from 'zod';
import { VenueUnavailable } from '../../venue.ts';
import type { ProvenMoves } from '../../venue-chain.ts';
import { HOLDINGS_ABI, NEG_RISK_EVENTS_ABI, PUSD_ABI, STEP_EVENTS_ABI } from './abis.ts';
import { readBalancesAt } from './account-reads.ts';
import { CONDITIONAL_TOKENS, POSITION_MANAGER, PUSD } from './addresses.ts';
import { agreed, type ChainNode, NodeRefusal, type ReceiptLog } from './nodes.ts';

type Nodes = readonly ChainNode[];

const HOLDERS = [CONDITIONAL_TOKENS, POSITION_MANAGER];

/** Throws VenueUnavailable for logs that cannot be read. */
export function movesOf(logs: readonly ReceiptLog[], owner: Hex): ProvenMoves {
  let cash = 0n;
  const shares = new Map<string, bigint>();
  const payouts = new Map<string, bigint>();
  for (const log of logs) {
    cash += cashIn(log, owner);
    for (const [tokenId, micro] of sharesIn(log, owner)) shares.set(tokenId, (shares.get(tokenId) ?? 0n) + micro);
    const paid = payoutIn(log);
    // An adapter and the contract under it may both tell of one redemption.
    if (paid !== null) payouts.set(paid.marketId, max(payouts.get(paid.marketId) ?? 0n, paid.micro));
  }
  return {
    cash: dollars(cash),
    shares: new Map([...shares].filter(([, micro]) => micro !== 0n).map(([id, micro]) => [id, count(micro) as Shares])),
    payouts: new Map([...payouts].map(([marketId, micro]) => [marketId, dollars(micro)])),
  };
}

/** The cash that the log moved to the account; negative away from it. */
function cashIn({ address, topics, data }: ReceiptLog, owner: Hex): bigint {
  if (!isAt(address, [PUSD])) return 0n;
  const event = decoded(() => decodeEventLog({ abi: PUSD_ABI, topics: topicsOf(topics), data: hex(data) }));
  if (event === null) return 0n;
  const { from, to, value } = event.args;
  return (isAt(to, [owner]) ? value : 0n) - (isAt(from, [owner]) ? value : 0n);
}

/** Shares moved, by token. */
function sharesIn({ address, topics, data }: ReceiptLog, owner: Hex): (readonly [string, bigint])[] {
  if (!isAt(address, HOLDERS)) return [];
  const event = decoded(() => decodeEventLog({ abi: HOLDINGS_ABI, topics: topicsOf(topics), data: hex(data) }));
  if (event === null) return [];
  const { from, to } = event.args;
  const sign = (isAt(to, [owner]) ? 1n : 0n) - (isAt(from, [owner]) ? 1n : 0n);
  if (event.eventName === 'TransferSingle') return [[String(event.args.id), sign * event.args.value]];
  const { ids, values } = event.args;
  return ids.map((id, place) => [String(id), sign * (values[place] ?? 0n)] as const);
}

function payoutIn({ topics, data }: ReceiptLog): { marketId: MarketId; micro: bigint } | null {
  const event =
    decoded(() => decodeEventLog({ abi: STEP_EVENTS_ABI, topics: topicsOf(topics), data: hex(data) })) ??
    decoded(() => decodeEventLog({ abi: NEG_RISK_EVENTS_ABI, topics: topicsOf(topics), data: hex(data) }));
  return event === null ? null : { marketId: event.args.conditionId.toLowerCase(), micro: event.args.payout };
}

/**
 * Why the balances around a block contradict the logs in it; null where they agree, and where no node has them any more.
 * Everything in the block counts: a trade may be final in it as well.
 */
export async function contradiction(
  nodes: Nodes,
  { owner, block, tokenIds }: { owner: Hex; block: number; tokenIds: readonly TokenId[] },
): Promise<string | null> {
  try {
    const [before, after, logs] = await Promise.all([
      readBalancesAt(nodes, owner, tokenIds, block - 1),
      readBalancesAt(nodes, owner, tokenIds, block),
      logsOfAccount(nodes, owner, { from: block, to: block }),
    ]);
    const moved = movesOf(logs, owner);
    const isSame =
      after.cash - before.cash === moved.cash &&
      tokenIds.every(
        (id) => (after.shares.get(id) ?? 0) - (before.shares.get(id) ?? 0) === (moved.shares.get(id) ?? 0),
      );
    return isSame ? null : `the balances at block ${block} are not what its logs say`;
  } catch (error) {
    if (error instanceof VenueUnavailable || error instanceof NodeRefusal) return null;
    throw error;
  }
}

const logs = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    blockNumber: z.string(),
    transactionHash: z.string(),
  }),
);
/** A log with its place in the chain. */
type PlacedLog = z.output<typeof logs>[number];
type Range = { from: number; to: number };

/** All logs that move cash or shares of the account. Throws VenueUnavailable. */
async function logsOfAccount(nodes: Nodes, owner: Hex, { from, to }: Range): Promise<PlacedLog[]> {
  const account = pad(owner).toLowerCase() as Hex;
  const wanted = [
    { address: PUSD, topics: [CASH_MOVED, account] },
    { address: PUSD, topics: [CASH_MOVED, null, account] },
    { address: HOLDERS, topics: [SHARES_MOVED, null, account] },
    { address: HOLDERS, topics: [SHARES_MOVED, null, null, account] },
  ];
  const found = await Promise.all(
    wanted.map((one) =>
      agreed(nodes, 'the logs of the account', async (node) => {
        const filter = { ...one, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
        const parsed = logs.safeParse(await node.call('eth_getLogs', [filter]));
        if (!parsed.success) throw new VenueUnavailable('a node did not answer with logs');
        return parsed.data;
      }),
    ),
  );
  return found.flat();
}

const [CASH_MOVED = null] = encodeEventTopics({ abi: PUSD_ABI, eventName: 'Transfer' }) as Hex[];
const SHARES_MOVED = (['TransferSingle', 'TransferBatch'] as const).flatMap(
  (eventName) => encodeEventTopics({ abi: HOLDINGS_ABI, eventName }) as Hex[],
);

/** Null for a log of another event. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

function topicsOf(topics: readonly string[]): [Hex, ...Hex[]] {
  return topics.map(hex) as [Hex, ...Hex[]];
}

function isAt(address: string, contracts: readonly Hex[]): boolean {
  return contracts.some((contract) => contract.toLowerCase() === address.toLowerCase());
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function dollars(micro: bigint): Usd {
  return usdFromMicro(count(micro));
}

/** @throws VenueUnavailable for an amount beyond a safe integer */
function count(micro: bigint): number {
  const amount = Number(micro);
  if (!Number.isSafeInteger(amount)) throw new VenueUnavailable('a transfer is not a number we can hold');
  return amount;
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
