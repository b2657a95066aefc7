import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssetType, Side } from '@polymarket/clob-client-v2';
import type { Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListedMarket } from '../adapters/polymarket/exchange-fixture.ts';
import { type ChainFixture, marketOf, OWNER, openChainFixture, pairCall } from './chain.fixture.ts';
import { COLLATERAL_ADAPTER, CONDITIONAL_TOKENS, isAt, PUSD } from './contracts/addresses.ts';

const DOLLARS = 10_000_000_000n;
const LOGGED_BLOCKS = 1_000n;
const TEN = 10_000_000n;

let chain: ChainFixture;
let market: ListedMarket;
let split: Hex;

async function open(options = {}): Promise<void> {
  chain = await openChainFixture(options);
  market = await marketOf(chain.fixture, ({ version, negRisk }) => version === 'v1' && !negRisk);
  split = pairCall('splitPosition', market.conditionId, TEN);
}

beforeEach(() => open());
afterEach(() => chain.fixture.exchange.close());

const fault = (name: string, more: object = {}) => chain.fixture.control('faults', { name, ...more });
const send = (data: Hex) => chain.wallet.sendTransaction({ to: COLLATERAL_ADAPTER, data, gas: 1_000_000n });
const logsOfAccount = async () =>
  chain.reader.getLogs({
    address: [PUSD, CONDITIONAL_TOKENS],
    fromBlock: (await chain.reader.getBlockNumber()) - LOGGED_BLOCKS,
  });
const statusOf = async (hash: Hex) => (await chain.reader.getTransactionReceipt({ hash })).status;

describe('faults of the chain', () => {
  it('chain_revert and chain_out_of_gas: the transaction is mined, takes its gas and changes nothing', async () => {
    await fault('chain_revert', { reason: 'paused' });
    const { status, ...receipt } = await chain.mine(COLLATERAL_ADAPTER, split);
    expect(status).toBe('reverted');
    expect(JSON.stringify(receipt, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).toContain(
      Buffer.from('paused').toString('hex'),
    );
    await fault('chain_out_of_gas');
    const short = await chain.mine(COLLATERAL_ADAPTER, split);
    expect(short).toMatchObject({ status: 'reverted', gasUsed: 1_000_000n });
    expect(await chain.cash()).toBe(DOLLARS);
  });

  it('chain_no_effect and chain_pays_less: the transaction succeeds, and moves nothing, or pays less than it takes', async () => {
    await chain.mine(COLLATERAL_ADAPTER, split);
    const merge = pairCall('mergePositions', market.conditionId, TEN);
    await fault('chain_no_effect');
    expect(await chain.mine(COLLATERAL_ADAPTER, merge)).toMatchObject({ status: 'success', logs: [] });
    expect(await chain.cash()).toBe(DOLLARS - TEN);
    await fault('chain_pays_less', { fraction: 0.25 });
    expect((await chain.mine(COLLATERAL_ADAPTER, merge)).logs.length).toBeGreaterThan(2);
    expect(await chain.cash()).toBe(DOLLARS - TEN + TEN / 4n);
  });

  it.each([
    ['together', TEN, 1],
    ['apart', TEN, 2],
    ['never', 0n, 1],
  ] as const)('shows the venue redeem by itself where it pays %s', async (pays, paid, transactions) => {
    await chain.mine(COLLATERAL_ADAPTER, split);
    const before = (await logsOfAccount()).length;
    await chain.fixture.control('auto_redeem', { on: true, pays });
    await chain.fixture.control('resolve', { condition_id: market.conditionId, outcome: 0 });
    expect(await chain.cash()).toBe(DOLLARS - TEN + paid);
    const logs = (await logsOfAccount()).slice(before);
    expect(new Set(logs.map(({ transactionHash }) => transactionHash)).size).toBe(transactions);
    expect(logs.filter(({ address }) => isAt(address, PUSD)).length).toBe(paid === 0n ? 0 : 1);
    expect(logs.filter(({ address }) => isAt(address, CONDITIONAL_TOKENS)).length).toBe(pays === 'apart' ? 1 : 2);
  });

  it('chain_stuck: the transaction waits until it is replaced, or let go', async () => {
    await fault('chain_stuck');
    const hash = await send(split);
    await chain.fixture.control('clock', { advance_ms: 600_000 });
    expect(await chain.reader.getTransaction({ hash })).toMatchObject({ blockNumber: null });
    await chain.fixture.control('chain', { unstick: true });
    await chain.block();
    expect(await statusOf(hash)).toBe('success');
  });

  it('chain_replaced and chain_nonce_taken: another transaction has the nonce', async () => {
    await fault('chain_replaced');
    const hash = await send(split);
    await chain.block();
    await expect(chain.reader.getTransaction({ hash })).rejects.toThrow('could not be found');
    expect(await chain.reader.getTransactionCount({ address: OWNER.address })).toBe(1);
    await fault('chain_nonce_taken');
    await expect(send(split)).rejects.toThrow('nonce too low');
    expect(await chain.reader.getTransactionCount({ address: OWNER.address })).toBe(2);
    expect(await chain.cash()).toBe(DOLLARS);
  });

  it('chain_reorg: what was mined is mined again in another block, or lost for good', async () => {
    await fault('chain_reorg', { recover: true });
    const mined = await chain.mine(COLLATERAL_ADAPTER, split);
    expect(await chain.cash()).toBe(DOLLARS - TEN);
    await chain.block();
    await expect(statusOf(mined.transactionHash)).rejects.toThrow('could not be found');
    expect(await chain.cash()).toBe(DOLLARS);
    expect((await chain.reader.getBlock({ blockNumber: mined.blockNumber })).hash).not.toBe(mined.blockHash);
    await chain.block();
    expect(await statusOf(mined.transactionHash)).toBe('success');
    await fault('chain_reorg');
    const lost = await chain.mine(COLLATERAL_ADAPTER, split);
    await chain.block();
    await expect(chain.reader.getTransaction({ hash: lost.transactionHash })).rejects.toThrow('could not be found');
    expect(await chain.reader.getTransactionCount({ address: OWNER.address })).toBe(1);
    expect(await chain.cash()).toBe(DOLLARS - TEN);
  });

  it('chain_answer_lost and rpc_5xx: no answer, after the transaction was taken or before', async () => {
    await fault('chain_answer_lost');
    await expect(send(split)).rejects.toThrow('fetch failed');
    await chain.block();
    expect(await chain.cash()).toBe(DOLLARS - TEN);
    await fault('chain_answer_lost', { before: true });
    await expect(send(split)).rejects.toThrow('fetch failed');
    await chain.block();
    await fault('rpc_5xx');
    await expect(chain.cash()).rejects.toThrow('503');
    expect(await chain.cash()).toBe(DOLLARS - TEN);
  });

  it('rpc_behind and rpc_disagree: a node, or every second answer, does not know of the newest blocks', async () => {
    const { transactionHash: hash, blockNumber } = await chain.mine(COLLATERAL_ADAPTER, split);
    await fault('rpc_behind', { blocks: 2, times: 3 });
    expect(await chain.reader.getBlockNumber()).toBe(blockNumber - 2n);
    expect(await chain.cash()).toBe(DOLLARS);
    await expect(statusOf(hash)).rejects.toThrow('could not be found');
    expect(await statusOf(hash)).toBe('success');
    await fault('rpc_disagree', { blocks: 1, times: 2 });
    const answers = [await chain.cash(), await chain.cash(), await chain.cash(), await chain.cash()];
    expect(answers.filter((cash) => cash === DOLLARS)).toHaveLength(2);
  });

  it('judges orders by what the venue last saw of the chain, and by what is there', async () => {
    const { client } = await chain.fixture.trader();
    const asset = { asset_type: AssetType.CONDITIONAL, token_id: market.tokens[0] };
    const sell = async (size: number) =>
      client.postOrder(await client.createOrder({ tokenID: market.tokens[0], price: 0.98, size, side: Side.SELL }));
    await chain.mine(COLLATERAL_ADAPTER, split);
    expect((await client.getBalanceAllowance(asset)).balance).toBe('0');
    await expect(sell(6)).rejects.toMatchObject({ message: expect.stringContaining('not enough balance') });
    await fault('stale_balance');
    await client.updateBalanceAllowance(asset);
    expect((await client.getBalanceAllowance(asset)).balance).toBe('0');
    await client.updateBalanceAllowance(asset);
    expect((await client.getBalanceAllowance(asset)).balance).toBe('10000000');
    await sell(6);
    const merge = pairCall('mergePositions', market.conditionId, TEN);
    await expect(chain.reader.call({ account: OWNER, to: COLLATERAL_ADAPTER, data: merge })).rejects.toThrow(
      'tokens are reserved by open orders',
    );
    const rest = await chain.mine(COLLATERAL_ADAPTER, pairCall('mergePositions', market.conditionId, 4_000_000n));
    expect(rest.status).toBe('success');
  });
});

describe('the chain of a journal', () => {
  it('comes back with its transactions, nonces, approvals and what was pending', async () => {
    await chain.fixture.exchange.close();
    const folder = mkdtempSync(join(tmpdir(), 'exchange-chain-'));
    const journalFile = join(folder, 'journal.jsonl');
    await open({ journalFile });
    const mined = await chain.mine(COLLATERAL_ADAPTER, split);
    const pending = await send(split);
    await chain.fixture.exchange.close();

    await open({ journalFile });
    expect(await chain.reader.getTransactionReceipt({ hash: mined.transactionHash })).toEqual(mined);
    expect(await chain.reader.getTransactionCount({ address: OWNER.address })).toBe(1);
    expect(await chain.reader.getTransactionCount({ address: OWNER.address, blockTag: 'pending' })).toBe(2);
    expect(await chain.cash()).toBe(DOLLARS - TEN);
    await chain.block();
    expect(await statusOf(pending)).toBe('success');
    expect(await chain.cash()).toBe(DOLLARS - 2n * TEN);
    rmSync(folder, { recursive: true });
  });
});
