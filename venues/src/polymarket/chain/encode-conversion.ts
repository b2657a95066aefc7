import type { MarketId } from '@dutchbook/units/ids.ts';
import { encodeFunctionData, type Hex, maxUint256, sliceHex, zeroHash } from 'viem';
import {
  type ApproveRequest,
  ConversionRefused,
  type ConversionRequest,
  type MergeRequest,
  type RedeemRequest,
  type SplitRequest,
} from '../../venue-chain.ts';
import { ADAPTER_ABI, HOLDINGS_ABI, NEG_RISK_ABI, PUSD_ABI, ROUTER_ABI } from './abis.ts';
import { approvedContracts, COLLATERAL_ADAPTER, NEG_RISK_ADAPTER, PUSD, ROUTER } from './addresses.ts';
import type { MarketIds } from './market-ids.ts';

/** What a contract is called with. */
export type ContractCall = { to: Hex; data: Hex };

/** `directional`: calls of that module are in the official client's source and not yet documented, so that they are switched on by hand. */
export type EncodingTerms = { ids: ReadonlyMap<string, MarketIds>; directional: boolean };

/** Takes or hands out so many shares of markets. */
type SharesCall = MergeRequest | SplitRequest;
type FirstProtocol = Extract<MarketIds, { protocol: 1 }>;
type SecondProtocol = Extract<MarketIds, { protocol: 2 }>;

/** The two index sets of a binary condition. */
const PARTITION = [1n, 2n] as const;
const NEG_RISK_MODULE = 2;
const DIRECTIONAL_MODULE = 4;
const EVENT_BYTES = 29;
const CONDITION_BYTES = 31;
const LINE_BIT = 0x80_00;

/** Encodes requests in their order; what the contract redeems as a whole is redeemed once. @throws ConversionRefused */
export function encodeConversions(requests: readonly ConversionRequest[], terms: EncodingTerms): ContractCall[] {
  const calls: ContractCall[] = [];
  const redeemed = new Set<string>();
  for (const request of requests) {
    const call = encodeConversion(request, terms);
    if (request.kind === 'redeem' && redeemed.has(call.data)) continue;
    if (request.kind === 'redeem') redeemed.add(call.data);
    calls.push(call);
  }
  return calls;
}

function encodeConversion(request: ConversionRequest, terms: EncodingTerms): ContractCall {
  if (request.kind === 'approve') return approve(request);
  if (!Number.isSafeInteger(request.shares) || request.shares <= 0)
    throw new ConversionRefused('there are no shares to convert');
  if (request.kind === 'redeem') return redeem(request, idsOf(request.marketId, terms));
  const all = request.marketIds.map((id) => idsOf(id, terms));
  const old = all.filter((ids) => ids.protocol === 1);
  const positions = all.filter((ids) => ids.protocol === 2);
  if (all.length === 0 || (old.length > 0 && positions.length > 0))
    throw new ConversionRefused('one call is of markets of one protocol');
  return old.length > 0 ? oldCall(request, old) : routerCall(request, positions, terms);
}

function oldCall({ kind, shares }: SharesCall, all: readonly FirstProtocol[]): ContractCall {
  const amount = BigInt(shares);
  if (kind === 'convert') return convert(all, amount);
  const [market, other] = all;
  if ((kind !== 'merge' && kind !== 'split') || market === undefined || other !== undefined)
    throw new ConversionRefused(`markets of the first protocol know no ${kind} of ${all.length}`);
  const args = [PUSD, zeroHash, market.condition, PARTITION, amount] as const;
  const functionName = kind === 'merge' ? 'mergePositions' : 'splitPosition';
  return { to: adapterOf(market), data: encodeFunctionData({ abi: ADAPTER_ABI, functionName, args }) };
}

function convert(all: readonly FirstProtocol[], amount: bigint): ContractCall {
  const questions = all.flatMap(({ negRisk }) => negRisk ?? []);
  const [first] = questions;
  if (first === undefined || questions.length < all.length)
    throw new ConversionRefused('a market is no question of a negative-risk event');
  if (questions.some(({ event }) => event !== first.event))
    throw new ConversionRefused('the markets are of several events');
  const indexSet = questions.reduce((set, { index }) => set | (1n << BigInt(index)), 0n);
  if (new Set(questions.map(({ index }) => index)).size < questions.length)
    throw new ConversionRefused('a market is named twice');
  const args = [first.event, indexSet, amount] as const;
  return {
    to: NEG_RISK_ADAPTER,
    data: encodeFunctionData({ abi: NEG_RISK_ABI, functionName: 'convertPositions', args }),
  };
}

function routerCall({ kind, shares }: SharesCall, all: readonly SecondProtocol[], terms: EncodingTerms): ContractCall {
  const amount = BigInt(shares);
  const [first, second] = all.map(({ condition }) => partsOf(condition));
  if (first === undefined) throw new ConversionRefused('no market is named');
  if (first.module === DIRECTIONAL_MODULE && !isOfPair(kind) && !terms.directional)
    throw new ConversionRefused('calls of the directional module are switched off');
  const router = (data: Hex): ContractCall => ({ to: ROUTER, data });
  const { event, index } = first;
  if (kind === 'directional_merge') return router(mergeDirectional(first, second, all.length, amount));
  if (kind === 'horizontal_merge' || kind === 'horizontal_split') {
    if (first.module !== NEG_RISK_MODULE && first.module !== DIRECTIONAL_MODULE)
      throw new ConversionRefused('the market is no member of an event');
    if (all.some(({ condition }) => partsOf(condition).event !== event))
      throw new ConversionRefused('the markets are of several events');
    const functionName = kind === 'horizontal_merge' ? 'horizontalMerge' : 'horizontalSplit';
    return router(encodeFunctionData({ abi: ROUTER_ABI, functionName, args: [event, amount] }));
  }
  if (second !== undefined) throw new ConversionRefused(`Protocol V2 takes one market at a time to ${kind}`);
  if (kind === 'convert') {
    if (first.module !== NEG_RISK_MODULE)
      throw new ConversionRefused('the market is no member of a negative-risk event');
    return router(encodeFunctionData({ abi: ROUTER_ABI, functionName: 'convert', args: [event, index, amount] }));
  }
  return router(encodeFunctionData({ abi: ROUTER_ABI, functionName: kind, args: [first.condition, amount] }));
}

function isOfPair(kind: SharesCall['kind']): boolean {
  return kind === 'merge' || kind === 'split';
}

function mergeDirectional(low: Parts, high: Parts | undefined, count: number, amount: bigint): Hex {
  if (high === undefined || count !== 2 || low.event !== high.event || low.module !== DIRECTIONAL_MODULE)
    throw new ConversionRefused('a directional merge is of two lines of one event');
  const lines = [low.index ^ LINE_BIT, high.index ^ LINE_BIT] as const;
  if (lines.some((line) => line >= LINE_BIT) || lines[0] >= lines[1])
    throw new ConversionRefused('a directional merge is of a line and a higher one');
  const args = [low.event, BigInt(lines[0]), BigInt(lines[1]), amount] as const;
  return encodeFunctionData({ abi: ROUTER_ABI, functionName: 'mergeDirectional', args });
}

function redeem({ tokenId, shares }: RedeemRequest, ids: MarketIds): ContractCall {
  const outcome = ids.tokenIds.indexOf(tokenId);
  if (outcome < 0) throw new ConversionRefused(`the token ${tokenId} is none of its market`);
  if (ids.protocol === 2) {
    const args = [ids.condition, BigInt(outcome), BigInt(shares)] as const;
    return { to: ROUTER, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'redeem', args }) };
  }
  const args = [PUSD, zeroHash, ids.condition, PARTITION] as const;
  return { to: adapterOf(ids), data: encodeFunctionData({ abi: ADAPTER_ABI, functionName: 'redeemPositions', args }) };
}

/** @throws ConversionRefused for a contract that has no business with the account's money */
function approve({ contract, holder, isAllowed }: ApproveRequest): ContractCall {
  const isMeant = (one: { contract: Hex; holder: Hex }) =>
    one.contract.toLowerCase() === contract.toLowerCase() && one.holder.toLowerCase() === holder.toLowerCase();
  const known = approvedContracts().find(isMeant);
  if (known === undefined) throw new ConversionRefused(`${contract} is no contract that moves what ${holder} keeps`);
  if (isAllowed && known.purpose === null) throw new ConversionRefused(`the ${known.name} is retired`);
  if (known.holder === PUSD) {
    const args = [known.contract, isAllowed ? maxUint256 : 0n] as const;
    return { to: PUSD, data: encodeFunctionData({ abi: PUSD_ABI, functionName: 'approve', args }) };
  }
  const args = [known.contract, isAllowed] as const;
  return { to: known.holder, data: encodeFunctionData({ abi: HOLDINGS_ABI, functionName: 'setApprovalForAll', args }) };
}

function adapterOf({ isNegRisk }: FirstProtocol): Hex {
  return isNegRisk ? NEG_RISK_ADAPTER : COLLATERAL_ADAPTER;
}

type Parts = { condition: Hex; event: Hex; index: number; module: number };

function partsOf(condition: Hex): Parts {
  return {
    condition,
    event: sliceHex(condition, 0, EVENT_BYTES),
    index: Number(sliceHex(condition, EVENT_BYTES, CONDITION_BYTES)),
    module: Number(sliceHex(condition, 0, 1)),
  };
}

function idsOf(marketId: MarketId, { ids }: EncodingTerms): MarketIds {
  const found = ids.get(marketId);
  if (found === undefined) throw new ConversionRefused(`the venue does not know the market ${marketId}`);
  return found;
}
