import { type Hex, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TEST_KEY } from '../../adapters/polymarket/exchange-fixture.ts';
import { type ChainFixture, openChainFixture } from '../chain.fixture.ts';

const OWNER = privateKeyToAccount(TEST_KEY);

let chain: ChainFixture;

beforeEach(async () => {
  chain = await openChainFixture();
});

afterEach(() => chain.fixture.exchange.close());

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function ask<T = Answer>(body: string): Promise<T> {
  const answer = await fetch(`${chain.fixture.exchange.url}/_chain/rpc`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

const call = (method: unknown, params?: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

it.each([
  ['half a body', '{"jsonrpc":"2.0"', -32_700],
  ['no call', '"eth_chainId"', -32_600],
  ['no method', call(7), -32_600],
  ['an unknown method', call('eth_sign', []), -32_601],
  ['a method of every object', call('constructor', []), -32_601],
  ['no address', call('eth_getBalance', ['0x12']), -32_602],
  ['no transaction', call('eth_sendRawTransaction', ['0x00']), -32_000],
  ['a block of the future', call('eth_call', [{}, '0xfffffffff']), -32_000],
  ['a state that is forgotten', call('eth_call', [{}, '0x1']), -32_000],
  ['logs of too many blocks', call('eth_getLogs', [{ fromBlock: 'earliest' }]), -32_005],
  ['an empty batch', '[]', -32_600],
])('answers %s with an error, and goes on', async (_, body, code) => {
  expect((await ask(body)).error?.code).toBe(code);
  expect((await ask(call('eth_chainId'))).result).toBe('0x89');
});

it('answers a hundred calls in one body, in their order, and refuses more', async () => {
  const batch = (count: number) => `[${Array.from({ length: count }, () => call('eth_chainId')).join(',')}]`;
  expect(await ask<Answer[]>(batch(100))).toHaveLength(100);
  expect((await ask(batch(101))).error?.code).toBe(-32_600);
});

it('refuses transactions of another chain, that no balance could pay, or with too little gas', async () => {
  const fee = parseGwei('60');
  const valid = {
    type: 'eip1559',
    chainId: 137,
    nonce: 0,
    gas: 100_000n,
    to: OWNER.address,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  } as const;
  const refusalOf = async (changed: object) => {
    const raw: Hex = await OWNER.signTransaction({ ...valid, ...changed });
    return (await ask(call('eth_sendRawTransaction', [raw]))).error?.message;
  };
  expect(await refusalOf({ chainId: 1 })).toBe('invalid chain id for signer');
  expect(await refusalOf({ gas: 20_000n })).toBe('intrinsic gas too low');
  expect(await refusalOf({ gas: 40_000_000n })).toBe('exceeds block gas limit');
  expect(await refusalOf({ value: 10n ** 21n })).toBe('insufficient funds for gas * price + value');
  await chain.fixture.control('chain', { wei: { address: OWNER.address, amount: '1' } });
  expect(await refusalOf({})).toBe('insufficient funds for gas * price + value');
  await chain.fixture.control('chain', { wei: { address: OWNER.address, amount: String(10n ** 18n) } });
  expect(await refusalOf({})).toBeUndefined();
  expect(await refusalOf({})).toBe('already known');
});
