import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ListedMarket, TEST_KEY } from '../../adapters/polymarket/exchange-fixture.ts';
import { type ChainFixture, marketOf, openChainFixture, pairCall } from '../chain.fixture.ts';
import { HOLDINGS_ABI, WALLET_ABI } from '../contracts/abis.ts';
import { COLLATERAL_ADAPTER, CONDITIONAL_TOKENS } from '../contracts/addresses.ts';

const OWNER = privateKeyToAccount(TEST_KEY);
const WALLET: Hex = '0x00000000000000000000000000000000000aA11E';
const FACTORY: Hex = '0x00000000000000000000000000000000000fac70';
const KEYS = { relayer_api_key: 'a key', relayer_api_key_address: OWNER.address };
const TEN = 10_000_000n;

let chain: ChainFixture;
let market: ListedMarket;

beforeEach(async () => {
  chain = await openChainFixture();
  market = await marketOf(chain.fixture, ({ version, negRisk }) => version === 'v1' && !negRisk);
});

afterEach(() => chain.fixture.exchange.close());

interface Signed {
  readonly nonce: string;
  readonly deadline?: string;
  readonly calls?: readonly Hex[];
}

const seconds = () => Math.floor(Date.now() / 1000);

async function batch({
  nonce,
  deadline = String(seconds() + 600),
  calls = [pairCall('splitPosition', market.conditionId, TEN)],
}: Signed) {
  const listed = calls.map((data) => ({ target: COLLATERAL_ADAPTER, value: '0', data }));
  const signature = await OWNER.signTypedData({
    domain: { name: 'DepositWallet', version: '1', chainId: 137, verifyingContract: WALLET },
    types: {
      Call: [
        { name: 'target', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
      Batch: [
        { name: 'wallet', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'calls', type: 'Call[]' },
      ],
    },
    primaryType: 'Batch',
    message: {
      wallet: WALLET,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      calls: listed.map((call) => ({ ...call, value: 0n })),
    },
  });
  const depositWalletParams = { depositWallet: WALLET, deadline, calls: listed };
  return { type: 'WALLET', from: OWNER.address, to: FACTORY, nonce, signature, depositWalletParams };
}

async function ask(path: string, body?: object, headers: Record<string, string> = KEYS) {
  const response = await fetch(`${chain.fixture.exchange.url}/relayer/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function stateOf(id: string | undefined) {
  const { body } = await ask(`transaction?id=${id}`);
  return (body as unknown as { state: string; transactionHash: string }[])[0];
}

const advance = (ms: number) => chain.fixture.control('clock', { advance_ms: ms });
const held = (owner: Hex) =>
  chain.reader.readContract({
    address: CONDITIONAL_TOKENS,
    abi: HOLDINGS_ABI,
    functionName: 'balanceOf',
    args: [owner, BigInt(market.tokens[0])],
  });

describe('the relayer', () => {
  it('carries a signed batch of a deposit wallet to the chain, all of it or nothing, and says how far it is', async () => {
    expect((await ask(`deployed?address=${WALLET}`)).body).toEqual({ deployed: false });
    const { body: sent } = await ask('submit', await batch({ nonce: '0' }));
    expect(sent).toMatchObject({ state: 'STATE_NEW', transactionHash: '' });
    await advance(500);
    expect(await stateOf(sent.transactionID)).toMatchObject({ state: 'STATE_EXECUTED' });
    await advance(2_000);
    expect(await stateOf(sent.transactionID)).toMatchObject({ state: 'STATE_MINED' });
    await advance(4_000);
    const { state, transactionHash } = (await stateOf(sent.transactionID)) ?? {};
    expect(state).toBe('STATE_CONFIRMED');
    const receipt = await chain.reader.getTransactionReceipt({ hash: transactionHash as Hex });
    expect(receipt.status).toBe('success');
    expect(await held(WALLET)).toBe(TEN);
    expect((await ask(`nonce?address=${OWNER.address}&type=WALLET`)).body).toEqual({ nonce: '1' });
    expect(await chain.reader.readContract({ address: WALLET, abi: WALLET_ABI, functionName: 'nonce' })).toBe(1n);

    const merge = pairCall('mergePositions', market.conditionId, TEN);
    const { body: failing } = await ask('submit', await batch({ nonce: '1', calls: [merge, merge] }));
    await advance(3_000);
    expect(await stateOf(failing.transactionID)).toMatchObject({ state: 'STATE_FAILED' });
    expect(await held(WALLET)).toBe(TEN);
    expect((await ask(`nonce?address=${WALLET}&type=WALLET`)).body).toEqual({ nonce: '1' });
  });

  it('never carries out two batches with one nonce, nor one whose deadline has passed', async () => {
    const first = await ask('submit', await batch({ nonce: '0' }));
    const second = await ask(
      'submit',
      await batch({ nonce: '0', calls: [pairCall('splitPosition', market.conditionId, 1n)] }),
    );
    await advance(10_000);
    expect((await stateOf(first.body.transactionID))?.state).toBe('STATE_CONFIRMED');
    expect((await stateOf(second.body.transactionID))?.state).toBe('STATE_FAILED');
    expect(await held(WALLET)).toBe(TEN);
    expect((await ask('submit', await batch({ nonce: '0' }))).body.error).toBe('invalid nonce: expected 1, got 0');
    const late = await ask('submit', await batch({ nonce: '1', deadline: String(seconds() + 5) }));
    expect(late).toEqual({ status: 400, body: { error: 'deadline has passed' } });
    await chain.fixture.control('faults', { name: 'chain_stuck', ms: 60_000 });
    const stuck = await ask('submit', await batch({ nonce: '1', deadline: String(seconds() + 40) }));
    await advance(5_000);
    expect((await stateOf(stuck.body.transactionID))?.state).toBe('STATE_EXECUTED');
    await advance(70_000);
    expect((await stateOf(stuck.body.transactionID))?.state).toBe('STATE_FAILED');
    expect(await held(WALLET)).toBe(TEN);
  });

  it("carries a Safe's transaction of several calls, signed as a message", async () => {
    const pack = (data: Hex) =>
      concatHex([
        '0x00',
        COLLATERAL_ADAPTER,
        numberToHex(0, { size: 32 }),
        numberToHex(size(data), { size: 32 }),
        data,
      ]);
    const packed = concatHex([1n, 2n].map((amount) => pack(pairCall('splitPosition', market.conditionId, amount))));
    const abi = parseAbi(['function multiSend(bytes transactions)']);
    const data = encodeFunctionData({ abi, args: [packed] });
    const to: Hex = '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761';
    const zeros = {
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: 0n,
    };
    const hash = hashTypedData({
      domain: { chainId: 137, verifyingContract: WALLET },
      types: {
        SafeTx: [
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
          { name: 'operation', type: 'uint8' },
          { name: 'safeTxGas', type: 'uint256' },
          { name: 'baseGas', type: 'uint256' },
          { name: 'gasPrice', type: 'uint256' },
          { name: 'gasToken', type: 'address' },
          { name: 'refundReceiver', type: 'address' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      primaryType: 'SafeTx',
      message: { to, value: 0n, data, operation: 1, ...zeros },
    });
    const plain = await OWNER.signMessage({ message: { raw: hash } });
    const signature = `${plain.slice(0, -2)}${(Number.parseInt(plain.slice(-2), 16) + 4).toString(16)}`;
    const signatureParams = {
      gasPrice: '0',
      operation: '1',
      safeTxnGas: '0',
      baseGas: '0',
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
    };
    const body = {
      type: 'SAFE',
      from: OWNER.address,
      to,
      proxyWallet: WALLET,
      data,
      nonce: '0',
      signature,
      signatureParams,
    };
    const { body: sent } = await ask('submit', body);
    await advance(10_000);
    expect((await stateOf(sent.transactionID))?.state).toBe('STATE_CONFIRMED');
    expect(await held(WALLET)).toBe(3n);
    expect((await ask('submit', { ...body, nonce: '1' })).body.error).toBe('invalid signature');
  });

  it('carries the calls of a proxy wallet', async () => {
    const relayed = await ask(`relay-payload?address=${OWNER.address}&type=PROXY`);
    const relay = relayed.body.address as Hex;
    const abi = parseAbi([
      'function proxy((uint8 typeCode, address to, uint256 value, bytes data)[] calls) payable returns (bytes[])',
    ]);
    const calls = [1n, 2n].map((amount) => ({
      typeCode: 1,
      to: COLLATERAL_ADAPTER,
      value: 0n,
      data: pairCall('splitPosition', market.conditionId, amount),
    }));
    const data = encodeFunctionData({ abi, args: [calls] });
    const zero = numberToHex(0, { size: 32 });
    const limit = numberToHex(5_000_000, { size: 32 });
    const request = concatHex(['0x726c783a', OWNER.address, FACTORY, data, zero, zero, limit, zero, FACTORY, relay]);
    const signature = await OWNER.signMessage({ message: { raw: keccak256(request) } });
    const signatureParams = { gasPrice: '0', gasLimit: '5000000', relayerFee: '0', relayHub: FACTORY, relay };
    const body = { type: 'PROXY', from: OWNER.address, to: FACTORY, proxyWallet: WALLET, data, nonce: '0', signature };
    const { body: sent } = await ask('submit', { ...body, signatureParams });
    await advance(10_000);
    expect((await stateOf(sent.transactionID))?.state).toBe('STATE_CONFIRMED');
    expect(await held(WALLET)).toBe(3n);
  });

  it('sends after a restart what it had taken before, once', async () => {
    await chain.fixture.exchange.close();
    const folder = mkdtempSync(join(tmpdir(), 'exchange-relayer-'));
    const journalFile = join(folder, 'journal.jsonl');
    chain = await openChainFixture({ journalFile });
    const { body: sent } = await ask('submit', await batch({ nonce: '0' }));
    await chain.fixture.exchange.close();
    chain = await openChainFixture({ journalFile });
    await advance(10_000);
    expect(await stateOf(sent.transactionID)).toMatchObject({ state: 'STATE_CONFIRMED' });
    await chain.fixture.exchange.close();
    chain = await openChainFixture({ journalFile });
    await advance(10_000);
    expect(await stateOf(sent.transactionID)).toMatchObject({ state: 'STATE_CONFIRMED', nonce: '0' });
    expect(await held(WALLET)).toBe(TEN);
    expect((await ask(`nonce?address=${WALLET}&type=WALLET`)).body).toEqual({ nonce: '1' });
    rmSync(folder, { recursive: true });
  });

  it('counts merges by submissions, a hundred a day, and lets twenty-five through a minute', async () => {
    const { conditionId } = market;
    await chain.fixture.control('split', { condition_id: conditionId, amount: '1000' });
    const both = [pairCall('mergePositions', conditionId, 1n), pairCall('mergePositions', conditionId, 1n)];
    for (let nonce = 0; nonce < 100; nonce += 1) {
      if (nonce > 0 && nonce % 25 === 0) {
        const { status, body } = await ask('submit', await batch({ nonce: String(nonce - 1), calls: both }));
        expect([status, body.error]).toEqual([429, 'rate limit exceeded: resets in 60 seconds']);
        await advance(60_000);
      }
      expect((await ask('submit', await batch({ nonce: String(nonce), calls: both }))).status).toBe(200);
    }
    await advance(60_000);
    const deadline = String(seconds() + 200_000);
    const refused = await ask('submit', await batch({ nonce: '100', calls: both, deadline }));
    expect([refused.status, refused.body.error]).toEqual([
      429,
      'quota exceeded: 0 units remaining, resets in 86160 seconds',
    ]);
    expect((await ask('submit', await batch({ nonce: '100' }))).status).toBe(200);
    await advance(86_160_000);
    expect((await ask('submit', await batch({ nonce: '101', calls: both, deadline }))).status).toBe(200);
  });

  it('relayer_gives_up: takes a submission, calls it failed with its reason, and leaves its nonce to another', async () => {
    await chain.fixture.control('faults', { name: 'relayer_gives_up', reason: 'simulation failed' });
    const body = await batch({ nonce: '0' });
    expect((await ask('submit', body)).body).toMatchObject({ state: 'STATE_FAILED' });
    await advance(10_000);
    expect((await ask('transactions')).body).toMatchObject([{ state: 'STATE_FAILED', errorMsg: 'simulation failed' }]);
    expect(await held(WALLET)).toBe(0n);
    await ask('submit', body);
    await advance(10_000);
    expect(await held(WALLET)).toBe(TEN);
  });

  it('refuses calls it does not serve, signatures of others, and callers without a key', async () => {
    const body = await batch({ nonce: '0' });
    expect((await ask('submit', body, {})).status).toBe(401);
    const forged = { ...body, signature: `0x${'11'.repeat(64)}1b` };
    expect((await ask('submit', forged)).body.error).toBe('invalid signature');
    await chain.fixture.control('faults', { name: 'relayer_call_blocked' });
    expect((await ask('submit', body)).body.error).toContain('call blocked');
    await chain.fixture.control('faults', { name: 'relayer_quota', ms: 90_000 });
    expect((await ask('submit', body)).body.error).toContain('resets in 90 seconds');
    await chain.fixture.control('faults', { name: 'relayer_5xx' });
    expect((await ask('submit', body)).status).toBe(502);
    await chain.fixture.control('faults', { name: 'chain_answer_lost' });
    await expect(ask('submit', body)).rejects.toThrow('fetch failed');
    await advance(10_000);
    expect(await held(WALLET)).toBe(TEN);
    const { body: all } = await ask('transactions');
    expect(all).toMatchObject([{ state: 'STATE_CONFIRMED', proxyAddress: WALLET, nonce: '0' }]);
  });
});
