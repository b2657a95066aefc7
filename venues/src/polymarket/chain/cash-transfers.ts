/** Deposits and withdrawals, read from the logs of the chain. */
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { encodeEventTopics, type Hex, numberToHex, pad } from 'viem';
import { z } from 'zod';
import { VenueUnavailable } from '../../venue.ts';
import type { CashTransfer, CashTransfers } from '../../venue-chain.ts';
import { HOLDINGS_ABI, PUSD_ABI } from './abis.ts';
import { approvedContracts, CONDITIONAL_TOKENS, POSITION_MANAGER, PUSD } from './addresses.ts';
import { agreed, type ChainNode, commonHeight, quantityIn } from './nodes.ts';

/** Fewer than what the providers of nodes take at once. */
const BLOCKS_AT_ONCE = 2_000;
const BLOCKS_MAX = 40_000;

type Nodes = readonly ChainNode[];
type Range = { from: number; to: number };
type Asked = { owner: Hex; block: number; confirmations: number };

/** By block and transaction, what a log has moved into the account, or below zero out of it, and who it was moved by or to. */
type Moved = { block: number; hash: string; micro: bigint; other: string };

/**
 * Trades and calls of contracts move shares of the account in the same transaction as dollars, or have a contract of the venue at
 * the other end; whatever moves dollars beside these is a transfer. Throws VenueUnavailable.
 */
export async function readTransfers(nodes: Nodes, { owner, block, confirmations }: Asked): Promise<CashTransfers> {
  const height = await commonHeight(nodes);
  const to = Math.min(height, block + BLOCKS_MAX);
  const settled = height - confirmations;
  const transfers: CashTransfer[] = [];
  for (let from = block + 1; from <= to; from += BLOCKS_AT_ONCE) {
    const range = { from, to: Math.min(to, from + BLOCKS_AT_ONCE - 1) };
    transfers.push(...(await transfersIn(nodes, owner, range, settled)));
  }
  return { transfers, through: Math.max(block, Math.min(to, settled)) };
}

async function transfersIn(nodes: Nodes, owner: Hex, range: Range, settled: number): Promise<CashTransfer[]> {
  const account = pad(owner).toLowerCase() as Hex;
  const [sent, received] = await Promise.all([
    logsOf(nodes, range, { address: PUSD, topics: [CASH_MOVED, account] }),
    logsOf(nodes, range, { address: PUSD, topics: [CASH_MOVED, null, account] }),
  ]);
  const moved = [
    ...sent.map((log): Moved => ({ ...placeOf(log), micro: -quantityIn(log.data), other: log.topics[2] ?? '' })),
    ...received.map((log): Moved => ({ ...placeOf(log), micro: quantityIn(log.data), other: log.topics[1] ?? '' })),
  ].filter(({ other }) => !VENUE_CONTRACTS.has(other.toLowerCase()));
  if (moved.length === 0) return [];
  const ofShares = await transactionsOfShares(nodes, account, range);
  const byTransaction = Map.groupBy(
    moved.filter(({ hash }) => !ofShares.has(hash)),
    ({ hash }) => hash,
  );
  return [...byTransaction]
    .flatMap(([hash, same]): CashTransfer[] => {
      const { block = 0 } = same[0] ?? {};
      const micro = same.reduce((sum, one) => sum + one.micro, 0n);
      return micro === 0n ? [] : [{ hash, block, amount: dollars(micro), isSettled: block <= settled }];
    })
    .toSorted((a, b) => a.block - b.block);
}

/** In which shares came to the account or left it. */
async function transactionsOfShares(nodes: Nodes, account: Hex, range: Range): Promise<Set<string>> {
  const address = [CONDITIONAL_TOKENS, POSITION_MANAGER];
  const logs = await Promise.all([
    logsOf(nodes, range, { address, topics: [SHARES_MOVED, null, account] }),
    logsOf(nodes, range, { address, topics: [SHARES_MOVED, null, null, account] }),
  ]);
  return new Set(logs.flat().map((log) => placeOf(log).hash));
}

const [CASH_MOVED = null] = encodeEventTopics({ abi: PUSD_ABI, eventName: 'Transfer' }) as Hex[];
const SHARES_MOVED = (['TransferSingle', 'TransferBatch'] as const).flatMap(
  (eventName) => encodeEventTopics({ abi: HOLDINGS_ABI, eventName }) as Hex[],
);

/** As a log has them. */
const VENUE_CONTRACTS: ReadonlySet<string> = new Set(
  [CONDITIONAL_TOKENS, POSITION_MANAGER, ...approvedContracts().map(({ contract }) => contract)].map((address) =>
    pad(address as Hex).toLowerCase(),
  ),
);

const logs = z.array(
  z.object({
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

function placeOf({ blockNumber, transactionHash }: Log): { block: number; hash: string } {
  return { block: Number(quantityIn(blockNumber)), hash: transactionHash };
}

/** @throws VenueUnavailable for more than can be counted, which nobody moves */
function dollars(micro: bigint): Usd {
  const amount = Number(micro);
  if (!Number.isSafeInteger(amount)) throw new VenueUnavailable('a transfer is not a number we can hold');
  return usdFromMicro(amount);
}
