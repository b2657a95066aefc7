/** Deposits, withdrawals, income and what contracts of the venue took by themselves, read from the logs of the chain. */
import type { Shares } from '@dutchbook/units/shares.ts';
import { encodeEventTopics, type Hex, numberToHex, pad, zeroAddress } from 'viem';
import { z } from 'zod';
import { VenueUnavailable } from '../../venue.ts';
import type { CashSource, CashTransfer, CashTransfers, TakenShares } from '../../venue-chain.ts';
import { HOLDINGS_ABI, PUSD_ABI } from './abis.ts';
import { movesOf } from './account-moves.ts';
import { approvedContracts, CONDITIONAL_TOKENS, POSITION_MANAGER, PUSD } from './addresses.ts';
import { agreed, type ChainNode, commonHeight, quantityIn } from './nodes.ts';

/** Fewer than what the providers of nodes take at once. */
const BLOCKS_AT_ONCE = 2_000;
const BLOCKS_MAX = 40_000;

type Nodes = readonly ChainNode[];
type Range = { from: number; to: number };

/** Who pays income of the venue, and the account's own key. */
export type Senders = { rewards: readonly string[]; rebates: readonly string[]; own: readonly string[] };

type Asked = { owner: Hex; senders: Senders; block: number; confirmations: number };

/**
 * Trades and calls of contracts move shares of the account in the same transaction as dollars; whatever moves dollars beside these is
 * a transfer, but for what an exchange of the venue moves. Throws VenueUnavailable.
 */
export async function readTransfers(nodes: Nodes, asked: Asked): Promise<CashTransfers> {
  const { block, confirmations } = asked;
  const height = await commonHeight(nodes);
  const to = Math.min(height, block + BLOCKS_MAX);
  const final = height - confirmations;
  const transfers: CashTransfer[] = [];
  const taken: TakenShares[] = [];
  for (let from = block + 1; from <= to; from += BLOCKS_AT_ONCE) {
    const range = { from, to: Math.min(to, from + BLOCKS_AT_ONCE - 1) };
    for (const one of await transactionsIn(nodes, asked.owner, range)) {
      transfers.push(...transferOf(one, asked, final));
      taken.push(...takenBy(one, asked.owner, final));
    }
  }
  return { transfers, taken, through: Math.max(block, Math.min(to, final)) };
}

/** The logs of one transaction that have moved cash, and shares, of the account. */
type Transaction = { hash: string; block: number; cash: Log[]; shares: Log[] };

/** Oldest first. */
async function transactionsIn(nodes: Nodes, owner: Hex, range: Range): Promise<Transaction[]> {
  const account = pad(owner).toLowerCase() as Hex;
  const holders = [CONDITIONAL_TOKENS, POSITION_MANAGER];
  const [sent, received, left, came] = await Promise.all([
    logsOf(nodes, range, { address: PUSD, topics: [CASH_MOVED, account] }),
    logsOf(nodes, range, { address: PUSD, topics: [CASH_MOVED, null, account] }),
    logsOf(nodes, range, { address: holders, topics: [SHARES_MOVED, null, account] }),
    logsOf(nodes, range, { address: holders, topics: [SHARES_MOVED, null, null, account] }),
  ]);
  const cash = Map.groupBy([...sent, ...received], ({ transactionHash }) => transactionHash);
  const shares = Map.groupBy([...left, ...came], ({ transactionHash }) => transactionHash);
  return [...new Set([...cash.keys(), ...shares.keys()])]
    .map((hash): Transaction => {
      const own = { cash: cash.get(hash) ?? [], shares: shares.get(hash) ?? [] };
      const [first] = [...own.cash, ...own.shares];
      return { hash, block: Number(quantityIn(first?.blockNumber)), ...own };
    })
    .toSorted((a, b) => a.block - b.block);
}

function transferOf(
  { hash, block, cash, shares }: Transaction,
  { owner, senders }: Asked,
  final: number,
): CashTransfer[] {
  if (shares.length > 0) return [];
  const moved = cash.filter((log) => !EXCHANGES.has(partyOf(log, owner)));
  const { cash: amount } = movesOf(moved, owner);
  if (amount === 0) return [];
  const parties = [...new Set(moved.map((log) => partyOf(log, owner)))];
  const sources = [...new Set(parties.map((party) => sourceOf(party, senders)))];
  const source = amount < 0 ? null : sources.length === 1 && sources[0] ? sources[0] : 'unknown';
  const party = parties.length === 1 ? (parties[0] ?? null) : null;
  return [{ hash, block, amount, source, party, isFinal: block <= final }];
}

/** Who the dollars of a log went to, or came from. */
function partyOf({ topics: [, from = '', to = ''] }: Log, owner: Hex): string {
  const [sender, receiver] = [from, to].map(addressIn);
  return sender === owner.toLowerCase() ? (receiver ?? '') : (sender ?? '');
}

function sourceOf(party: string, { rewards, rebates, own }: Senders): CashSource {
  const is = (addresses: readonly string[]) => addresses.some((address) => address.toLowerCase() === party);
  if (party === zeroAddress || is(own)) return 'deposit';
  if (is(rewards)) return 'reward';
  if (is(rebates)) return 'rebate';
  return VENUE_CONTRACTS.has(party) ? 'payout' : 'unknown';
}

function takenBy({ hash, block, cash, shares }: Transaction, owner: Hex, final: number): TakenShares[] {
  const ends = shares.map(({ topics: [, operator = '', , to = ''] }) => ({
    operator: addressIn(operator),
    to: addressIn(to),
  }));
  const isTaken = ends.every(
    ({ operator, to }) => !EXCHANGES.has(operator) && (to === zeroAddress || VENUE_CONTRACTS.has(to)),
  );
  if (shares.length === 0 || !isTaken) return [];
  const moved = movesOf([...cash, ...shares], owner);
  const taken = new Map([...moved.shares].map(([tokenId, micro]) => [tokenId, -micro as Shares]));
  return [{ hash, block, shares: taken, cash: moved.cash, isFinal: block <= final }];
}

/** A topic holds an address in its last twenty bytes. */
function addressIn(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}

const [CASH_MOVED = null] = encodeEventTopics({ abi: PUSD_ABI, eventName: 'Transfer' }) as Hex[];
const SHARES_MOVED = (['TransferSingle', 'TransferBatch'] as const).flatMap(
  (eventName) => encodeEventTopics({ abi: HOLDINGS_ABI, eventName }) as Hex[],
);

const CONTRACTS = approvedContracts();
const EXCHANGES: ReadonlySet<string> = new Set(
  CONTRACTS.filter(({ name }) => name.includes('exchange')).map(({ contract }) => contract.toLowerCase()),
);
const VENUE_CONTRACTS: ReadonlySet<string> = new Set(
  [CONDITIONAL_TOKENS, POSITION_MANAGER, ...CONTRACTS.map(({ contract }) => contract)].map((address) =>
    address.toLowerCase(),
  ),
);

const logs = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    blockNumber: z.string(),
    transactionHash: z.string(),
  }),
);
type Log = z.output<typeof logs>[number];
type Wanted = { address: Hex | Hex[]; topics: readonly (Hex | readonly Hex[] | null)[] };

async function logsOf(nodes: Nodes, { from, to }: Range, wanted: Wanted): Promise<Log[]> {
  const filter = { ...wanted, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  return await agreed(nodes, 'the logs of transfers', async (node) => {
    const parsed = logs.safeParse(await node.call('eth_getLogs', [filter]));
    if (!parsed.success) throw new VenueUnavailable('a node did not answer with logs');
    return parsed.data;
  });
}
