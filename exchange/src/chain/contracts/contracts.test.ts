import {
  type Abi,
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  zeroHash,
} from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChainFixture, OWNER, openChainFixture, pairCall } from '../chain.fixture.ts';
import { CONDITIONS_ABI, HOLDINGS_ABI, NEG_RISK_ABI, PUSD_ABI, ROUTER_ABI, STEP_EVENTS_ABI } from './abis.ts';
import {
  COLLATERAL_ADAPTER,
  CONDITIONAL_TOKENS,
  NEG_RISK_ADAPTER,
  POSITION_MANAGER,
  PUSD,
  ROUTER,
} from './addresses.ts';

const TEN = 10_000_000n;
const DOLLARS = 10_000_000_000n;

interface GammaEvent {
  readonly title: string;
  readonly negRiskMarketID: Hex;
  readonly negRiskFeeBips: number;
  readonly markets: readonly {
    readonly conditionId: Hex;
    readonly questionID: Hex;
    readonly clobTokenIds?: string;
    readonly positionIds?: readonly string[];
  }[];
}

let chain: ChainFixture;

beforeEach(async () => {
  chain = await openChainFixture();
});

afterEach(() => chain.fixture.exchange.close());

async function event(title: string): Promise<GammaEvent> {
  const events = (await (await fetch(`${chain.fixture.exchange.url}/gamma/events?limit=100`)).json()) as GammaEvent[];
  const found = events.find((one) => one.title === title);
  if (found === undefined) throw new Error(`no event is called ${title}`);
  return found;
}

const encode = (abi: Abi, functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as Hex;

async function held(address: Hex, ids: readonly string[]): Promise<readonly bigint[]> {
  const args = [ids.map(() => OWNER.address), ids.map(BigInt)] as const;
  return chain.reader.readContract({ address, abi: HOLDINGS_ABI, functionName: 'balanceOfBatch', args });
}

const ERRORS = parseAbi([
  'error Error(string reason)',
  'error MarketNotPrepared()',
  'error InvalidIndexSet()',
  'error EventNotPrepared()',
]);

async function why(to: Hex, data: Hex): Promise<string> {
  const answer = await fetch(`${chain.fixture.exchange.url}/_chain/rpc`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ from: OWNER.address, to, data }] }),
  });
  const { error } = (await answer.json()) as { error: { code: number; data: Hex } };
  expect(error.code).toBe(3);
  const { errorName, args } = decodeErrorResult({ abi: ERRORS, data: error.data });
  return args?.[0] ?? errorName;
}

describe('the contracts', () => {
  it('name the positions of a condition as the catalogue does, and say what a resolved one pays', async () => {
    const { markets } = await event('Northern Sprint champion');
    const { conditionId = zeroHash, clobTokenIds = '[]' } = markets[0] ?? {};
    const read = { address: CONDITIONAL_TOKENS, abi: CONDITIONS_ABI } as const;
    const positionOf = async (set: bigint) => {
      const args = [zeroHash, conditionId, set] as const;
      const collection = await chain.reader.readContract({ ...read, functionName: 'getCollectionId', args });
      return chain.reader.readContract({ ...read, functionName: 'getPositionId', args: [PUSD, collection] });
    };
    expect([await positionOf(1n), await positionOf(2n)]).toEqual((JSON.parse(clobTokenIds) as string[]).map(BigInt));
    const denominator = () =>
      chain.reader.readContract({ ...read, functionName: 'payoutDenominator', args: [conditionId] });
    expect(await denominator()).toBe(0n);
    await chain.fixture.control('resolve', { condition_id: conditionId, outcome: 'No' });
    expect(await denominator()).toBe(1n);
    const numerator = (index: bigint) =>
      chain.reader.readContract({ ...read, functionName: 'payoutNumerators', args: [conditionId, index] });
    expect([await numerator(0n), await numerator(1n)]).toEqual([0n, 1n]);
  });

  it('convert NO by the place of its question, and keep the fee of the dollars and of the YES', async () => {
    const { markets, negRiskMarketID } = await event('Host of the next Corran Games');
    await chain.fixture.control('market', { condition_id: markets[0]?.conditionId, neg_risk_fee_bips: 100 });
    const read = { address: NEG_RISK_ADAPTER, abi: NEG_RISK_ABI, args: [negRiskMarketID] } as const;
    expect(await chain.reader.readContract({ ...read, functionName: 'questionCount' })).toBe(4n);
    expect(await chain.reader.readContract({ ...read, functionName: 'feeBips' })).toBe(100n);
    const chosen = markets.slice(1);
    for (const { conditionId } of chosen) {
      await chain.mine(NEG_RISK_ADAPTER, pairCall('splitPosition', conditionId, TEN));
    }
    const before = await chain.cash();
    const indexSet = chosen.reduce((set, { questionID }) => set | (1n << BigInt(`0x${questionID.slice(-2)}`)), 0n);
    expect(indexSet).toBe(0b1010n);
    const { status, blockNumber } = await chain.mine(
      NEG_RISK_ADAPTER,
      encode(NEG_RISK_ABI, 'convertPositions', [negRiskMarketID, indexSet, TEN]),
    );
    expect(status).toBe('success');
    expect((await chain.cash()) - before).toBe(9_900_000n);
    const tokens = markets.map(({ clobTokenIds }) => JSON.parse(clobTokenIds ?? '[]') as [string, string]);
    expect(await held(CONDITIONAL_TOKENS, tokens.flat())).toEqual([9_900_000n, 0n, TEN, 0n, TEN, 0n]);
    const logs = await chain.reader.getContractEvents({
      abi: STEP_EVENTS_ABI,
      eventName: 'PositionsConverted',
      fromBlock: blockNumber,
    });
    expect(logs).toMatchObject([{ args: { marketId: negRiskMarketID, indexSet, amount: TEN } }]);
  });

  it('refuse what the contracts refuse, each for its reason', async () => {
    const { markets, negRiskMarketID } = await event('Host of the next Corran Games');
    const { conditionId = zeroHash } = markets[0] ?? {};
    const convert = (...args: readonly unknown[]) => encode(NEG_RISK_ABI, 'convertPositions', args);
    expect(await why(NEG_RISK_ADAPTER, convert(zeroHash, 1n, TEN))).toBe('MarketNotPrepared');
    expect(await why(NEG_RISK_ADAPTER, convert(negRiskMarketID, 0n, TEN))).toBe('InvalidIndexSet');
    expect(await why(NEG_RISK_ADAPTER, convert(negRiskMarketID, 16n, TEN))).toBe('InvalidIndexSet');
    expect(await why(NEG_RISK_ADAPTER, convert(negRiskMarketID, 1n, TEN))).toBe('SafeMath: subtraction overflow');
    const split = pairCall('splitPosition', conditionId, DOLLARS + 1n);
    expect(await why(NEG_RISK_ADAPTER, split)).toBe('ERC20: transfer amount exceeds balance');
    expect(await why(COLLATERAL_ADAPTER, split)).toBe('condition not prepared yet');
    expect(await why(ROUTER, encode(ROUTER_ABI, 'horizontalSplit', [numberToHex(1, { size: 29 }), TEN]))).toBe(
      'EventNotPrepared',
    );
    await chain.fixture.control('chain', { approved_by_default: false });
    expect(await why(NEG_RISK_ADAPTER, pairCall('splitPosition', conditionId, TEN))).toBe(
      'ERC20: transfer amount exceeds allowance',
    );
  });

  it('move dollars to another address and back, seen in the logs of both, and no more than there are', async () => {
    const other: Hex = `0x${'ee'.repeat(20)}`;
    const paying = (amount: bigint) => encode(PUSD_ABI, 'transfer', [other, amount]);
    expect(await why(PUSD, paying(DOLLARS + 1n))).toBe('ERC20: transfer amount exceeds balance');
    const { blockNumber, transactionHash } = await chain.mine(PUSD, paying(TEN));
    expect(await chain.cash()).toBe(DOLLARS - TEN);
    const { hash } = (await chain.fixture.control('transfer', { usd: '25' })) as { hash: Hex };
    await chain.block();
    expect(await chain.cash()).toBe(DOLLARS - TEN + 25_000_000n);
    await chain.fixture.control('transfer', { usd: '-5' });
    await chain.block();
    expect(await chain.cash()).toBe(DOLLARS + TEN);
    const logs = await chain.reader.getContractEvents({
      address: PUSD,
      abi: PUSD_ABI,
      eventName: 'Transfer',
      fromBlock: blockNumber,
    });
    expect(logs.map(({ transactionHash: of, args }) => [of, args.to, args.value])).toEqual([
      [transactionHash, getAddress(other), TEN],
      [hash, OWNER.address, 25_000_000n],
      [expect.any(String), expect.any(String), 5_000_000n],
    ]);
  });

  it('convert a dollar into YES of every member of a Protocol V2 event and back, the unlisted ones among them', async () => {
    const { markets } = await event('Builder of the Larkspur bridge');
    const ids = markets.map(({ positionIds }) => positionIds?.[0] ?? '0');
    const eventId = numberToHex(BigInt(ids[0] ?? 0) >> 24n, { size: 29 });
    expect((await chain.mine(ROUTER, encode(ROUTER_ABI, 'horizontalSplit', [eventId, TEN]))).status).toBe('success');
    expect(await held(POSITION_MANAGER, ids)).toEqual([TEN, TEN, TEN, TEN]);
    await chain.mine(ROUTER, encode(ROUTER_ABI, 'horizontalMerge', [eventId, TEN - 1n]));
    expect(await held(POSITION_MANAGER, ids)).toEqual([1n, 1n, 1n, 1n]);
    expect(await chain.cash()).toBe(DOLLARS - 1n);
    for (const [index, { conditionId }] of markets.entries()) {
      await chain.fixture.control('resolve', { condition_id: conditionId, outcome: index === 3 ? 'Yes' : 'No' });
    }
    const condition = (index: number) => numberToHex(BigInt(ids[index] ?? 0) >> 8n, { size: 31 });
    for (const index of [0, 3]) {
      await chain.mine(ROUTER, encode(ROUTER_ABI, 'redeem', [condition(index), 0n, 1n]));
    }
    expect(await chain.cash()).toBe(DOLLARS);
  });
});
