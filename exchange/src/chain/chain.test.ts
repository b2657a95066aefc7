import { encodeFunctionData, type Hex, parseGwei } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedMarket } from '../adapters/polymarket/exchange-fixture.ts';
import { type ChainFixture, marketOf, OWNER, openChainFixture, pairCall, redeemCall } from './chain.fixture.ts';
import { HOLDINGS_ABI, PUSD_ABI, STEP_EVENTS_ABI } from './contracts/abis.ts';
import { COLLATERAL_ADAPTER, CONDITIONAL_TOKENS, PUSD } from './contracts/addresses.ts';

const DOLLARS = 10_000_000_000n;
const TEN = 10_000_000n;

let chain: ChainFixture;
let market: ListedMarket;

beforeEach(async () => {
  chain = await openChainFixture();
  market = await marketOf(chain.fixture, ({ version, negRisk }) => version === 'v1' && !negRisk);
});

afterEach(() => chain.fixture.exchange.close());

const held = (chain: ChainFixture) =>
  chain.reader.readContract({
    address: CONDITIONAL_TOKENS,
    abi: HOLDINGS_ABI,
    functionName: 'balanceOfBatch',
    args: [[OWNER.address, OWNER.address], market.tokens.map(BigInt)],
  });

describe('a node of the chain', () => {
  it('splits and merges for a key that signs its transactions, and pays gas for them', async () => {
    const { reader, wallet } = chain;
    expect(await reader.getChainId()).toBe(137);
    const data = pairCall('splitPosition', market.conditionId, TEN);
    const hash = await wallet.sendTransaction({ to: COLLATERAL_ADAPTER, data });
    expect(await chain.cash()).toBe(DOLLARS);
    expect(await reader.getTransaction({ hash })).toMatchObject({ blockNumber: null, nonce: 0 });
    await chain.block();
    const receipt = await reader.getTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', blockNumber: await reader.getBlockNumber() });
    expect(await held(chain)).toEqual([TEN, TEN]);
    expect(await chain.cash()).toBe(DOLLARS - TEN);

    const merged = await chain.mine(COLLATERAL_ADAPTER, pairCall('mergePositions', market.conditionId, TEN));
    expect(await held(chain)).toEqual([0n, 0n]);
    expect(await chain.cash()).toBe(DOLLARS);
    const logs = await reader.getContractEvents({
      abi: STEP_EVENTS_ABI,
      eventName: 'PositionsMerge',
      fromBlock: merged.blockNumber,
      args: { stakeholder: OWNER.address },
    });
    expect(logs).toMatchObject([{ transactionHash: merged.transactionHash, args: { amount: TEN } }]);
    expect(await reader.getBalance({ address: OWNER.address })).toBeLessThan(100n * 10n ** 18n);
  });

  it('shows the ledger as it was at an earlier block', async () => {
    const before = await chain.reader.getBlockNumber();
    await chain.mine(COLLATERAL_ADAPTER, pairCall('splitPosition', market.conditionId, TEN));
    const cashAt = (blockNumber: bigint) =>
      chain.reader.readContract({
        address: PUSD,
        abi: PUSD_ABI,
        functionName: 'balanceOf',
        args: [OWNER.address],
        blockNumber,
      });
    expect(await cashAt(before)).toBe(DOLLARS);
    expect(await cashAt(before + 1n)).toBe(DOLLARS - TEN);
  });

  it('reverts what the contract refuses, with its reason, and takes the gas', async () => {
    const data = pairCall('mergePositions', market.conditionId, TEN);
    await expect(chain.reader.call({ account: OWNER, to: COLLATERAL_ADAPTER, data })).rejects.toThrow(
      'SafeMath: subtraction overflow',
    );
    const receipt = await chain.mine(COLLATERAL_ADAPTER, data);
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] });
    expect(await chain.reader.getTransactionCount({ address: OWNER.address })).toBe(1);
    for (const [to, unknown] of [
      [COLLATERAL_ADAPTER, '0x12345678'],
      [OWNER.address, data],
    ] as [Hex, Hex][]) {
      expect(await chain.mine(to, unknown)).toMatchObject({ status: 'reverted' });
    }
  });

  it('reverts without an approval, and goes on when it was given', async () => {
    const set = (functionName: 'setApprovalForAll', approved: boolean) =>
      chain.mine(
        CONDITIONAL_TOKENS,
        encodeFunctionData({ abi: HOLDINGS_ABI, functionName, args: [COLLATERAL_ADAPTER, approved] }),
      );
    const approve = (amount: bigint) =>
      chain.mine(
        PUSD,
        encodeFunctionData({ abi: PUSD_ABI, functionName: 'approve', args: [COLLATERAL_ADAPTER, amount] }),
      );
    const split = pairCall('splitPosition', market.conditionId, TEN);
    const merge = pairCall('mergePositions', market.conditionId, TEN);
    await approve(TEN - 1n);
    expect(await chain.mine(COLLATERAL_ADAPTER, split)).toMatchObject({ status: 'reverted' });
    await approve(TEN);
    expect(await chain.mine(COLLATERAL_ADAPTER, split)).toMatchObject({ status: 'success' });
    const args = [OWNER.address, COLLATERAL_ADAPTER] as const;
    expect(await chain.reader.readContract({ address: PUSD, abi: PUSD_ABI, functionName: 'allowance', args })).toBe(0n);
    await set('setApprovalForAll', false);
    expect(await chain.mine(COLLATERAL_ADAPTER, merge)).toMatchObject({ status: 'reverted' });
    await set('setApprovalForAll', true);
    expect(await chain.mine(COLLATERAL_ADAPTER, merge)).toMatchObject({ status: 'success' });
  });

  it('pays a resolved market by its numerators, half each where they say so', async () => {
    await chain.mine(COLLATERAL_ADAPTER, pairCall('splitPosition', market.conditionId, 10_000_001n));
    expect(await chain.mine(COLLATERAL_ADAPTER, redeemCall(market.conditionId))).toMatchObject({ status: 'reverted' });
    await chain.fixture.control('resolve', { condition_id: market.conditionId, outcome: 'half' });
    expect(await held(chain)).toEqual([10_000_001n, 10_000_001n]);
    await chain.mine(COLLATERAL_ADAPTER, redeemCall(market.conditionId));
    // Each outcome is rounded down by itself.
    expect(await chain.cash()).toBe(DOLLARS - 1n);
    expect(await held(chain)).toEqual([0n, 0n]);
    const negRisk = await marketOf(chain.fixture, (one) => one.version === 'v1' && one.negRisk);
    const half = chain.fixture.control('resolve', { condition_id: negRisk.conditionId, outcome: 'half' });
    await expect(half).rejects.toThrow('pays one outcome');
  });

  it('keeps nonces in order, and lets a dearer transaction replace one that waits', async () => {
    const send = (nonce: number, gwei: number, data: Hex) =>
      chain.wallet.sendTransaction({
        to: COLLATERAL_ADAPTER,
        data,
        nonce,
        gas: 1_000_000n,
        maxFeePerGas: parseGwei(String(gwei)),
        maxPriorityFeePerGas: parseGwei(String(gwei)),
      });
    const split = pairCall('splitPosition', market.conditionId, TEN);
    const ahead = await send(1, 60, split);
    await chain.block();
    await expect(chain.reader.getTransactionReceipt({ hash: ahead })).rejects.toThrow('could not be found');
    const first = await send(0, 20, split);
    await chain.block();
    await expect(chain.reader.getTransactionReceipt({ hash: first })).rejects.toThrow('could not be found');
    await expect(send(0, 21, split)).rejects.toThrow('underpriced');
    const second = await send(0, 60, pairCall('splitPosition', market.conditionId, 1n));
    await chain.block();
    await expect(chain.reader.getTransaction({ hash: first })).rejects.toThrow('could not be found');
    for (const hash of [second, ahead]) {
      expect(await chain.reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    }
    await expect(send(1, 90, split)).rejects.toThrow('nonce too low');
    expect(await held(chain)).toEqual([TEN + 1n, TEN + 1n]);
  });
});
