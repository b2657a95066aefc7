import type { TokenId } from '@dutchbook/units/ids.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import { usdFromMicro } from '@dutchbook/units/usd.ts';
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { VenueUnavailable } from '../../venue.ts';
import type { ChainApproval, ChainBalances } from '../../venue-chain.ts';
import { HOLDINGS_ABI, NEG_RISK_ABI, PUSD_ABI } from './abis.ts';
import {
  approvedContracts,
  CONDITIONAL_TOKENS,
  NEG_RISK_ADAPTER,
  OLD_NEG_RISK_ADAPTER,
  POSITION_MANAGER,
  PUSD,
} from './addresses.ts';
import type { MarketIds } from './market-ids.ts';
import { agreed, type ChainNode, callContract, commonHeight, NodeRefusal } from './nodes.ts';

const IDS_PER_CALL = 200;
const IDS_MAX = 20_000;

type Nodes = readonly ChainNode[];

/** All of one block, which every node has and agrees on. Throws VenueUnavailable. */
export async function readBalances(nodes: Nodes, owner: Hex, tokenIds: readonly TokenId[]): Promise<ChainBalances> {
  return await readBalancesAt(nodes, owner, tokenIds, await commonHeight(nodes));
}

/** Balances at a block; a node may not keep those of older blocks. @throws VenueUnavailable, NodeRefusal */
export async function readBalancesAt(
  nodes: Nodes,
  owner: Hex,
  tokenIds: readonly TokenId[],
  block: number,
): Promise<ChainBalances> {
  const ids = [...new Set(tokenIds)];
  if (ids.length > IDS_MAX) throw new VenueUnavailable(`more than ${IDS_MAX} tokens are not read at once`);
  const read = reader(nodes, block);
  const cash = await read(PUSD, PUSD_ABI, 'balanceOf', [owner]);
  const shares: ChainBalances['shares'] = new Map(
    (await Promise.all(chunks(ids).map((chunk) => sharesOf(read, owner, chunk)))).flat(),
  );
  return { block, cash: usdFromMicro(microOf(cash)), shares };
}

/** A token is kept by one of the two contracts, and the other has nothing of it. */
async function sharesOf(read: Reader, owner: Hex, tokenIds: readonly TokenId[]) {
  const args = [tokenIds.map(() => owner), tokenIds.map(BigInt)] as const;
  const [old, positions] = await Promise.all([
    read(CONDITIONAL_TOKENS, HOLDINGS_ABI, 'balanceOfBatch', args),
    read(POSITION_MANAGER, HOLDINGS_ABI, 'balanceOfBatch', args),
  ]);
  return tokenIds.map((tokenId, place) => {
    const micro = Math.max(microOf(old[place]), microOf(positions[place]));
    return [tokenId, sharesFromMicro(micro)] as const;
  });
}

/** Throws VenueUnavailable. */
export async function readApprovals(nodes: Nodes, owner: Hex): Promise<ChainApproval[]> {
  const read = reader(nodes, await commonHeight(nodes));
  const rows = approvedContracts().map(async ({ contract, name, holder, purpose }): Promise<ChainApproval> => {
    if (holder !== PUSD) {
      const isApproved = await read(holder, HOLDINGS_ABI, 'isApprovedForAll', [owner, contract]);
      return { contract, name, asset: 'shares', holder, amount: isApproved ? MOST : 0, purpose };
    }
    const allowed = await read(PUSD, PUSD_ABI, 'allowance', [owner, contract]);
    const amount = allowed > BigInt(MOST) ? MOST : Number(allowed);
    return { contract, name, asset: 'cash', holder, amount, purpose };
  });
  return Promise.all(rows);
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Null where a market's shares cannot be converted. Protocol V2 takes nothing. Throws VenueUnavailable. */
export async function readFeeBips(nodes: Nodes, ids: MarketIds): Promise<number | null> {
  if (ids.protocol === 2) return 0;
  if (ids.negRisk === null) return null;
  const { event } = ids.negRisk;
  const read = reader(nodes, await commonHeight(nodes));
  try {
    return Number(await read(NEG_RISK_ADAPTER, NEG_RISK_ABI, 'getFeeBips', [event]));
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    // The newer adapter may leave the question to the one under it.
    return Number(await read(OLD_NEG_RISK_ADAPTER, NEG_RISK_ABI, 'getFeeBips', [event]));
  }
}

type Reader = <const A extends Abi, N extends ContractFunctionName<A, 'view'>>(
  to: Hex,
  abi: A,
  functionName: N,
  args: ContractFunctionArgs<A, 'view', N>,
) => Promise<ContractFunctionReturnType<A, 'view', N>>;

/** Reads contracts as of one block. It throws VenueUnavailable, and NodeRefusal. */
function reader(nodes: Nodes, block: number): Reader {
  return async (to, abi, functionName, args) => {
    const call = { abi, functionName, args };
    const data = encodeFunctionData(call as never);
    const returned = await agreed(nodes, functionName, (node) => callContract(node, { to, data }, block));
    try {
      return decodeFunctionResult({ ...call, data: returned } as never) as never;
    } catch {
      throw new VenueUnavailable(`the contract ${to} did not answer ${functionName}`);
    }
  };
}

/** @throws VenueUnavailable for more than can be counted, which no account holds */
function microOf(amount: bigint | undefined): number {
  if (amount === undefined || amount > BigInt(MOST))
    throw new VenueUnavailable('a balance is not a number we can hold');
  return Number(amount);
}

function chunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / IDS_PER_CALL);
  return Array.from({ length: count }, (_, nth) => ids.slice(nth * IDS_PER_CALL, (nth + 1) * IDS_PER_CALL));
}
