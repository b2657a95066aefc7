import { sharesFromText } from '@dutchbook/units/shares.ts';
import { encodeErrorResult, encodeFunctionResult, numberToHex, parseAbi, zeroHash } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import {
  ConversionRefused,
  type ConversionRequest,
  type PreparedConversion,
  type VenueChain,
} from '../../venue-chain.ts';
import type { PolymarketConfig } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_KEY, TEST_RUNTIME, WIRE_MARKET } from '../stand-in.fixture.ts';

const PRIVATE_KEY = `0x${'42'.repeat(32)}`;
const NODE_KEY = 'key-of-the-test-at-the-node';
const RELAYER_KEY = 'key-of-the-test-at-the-relayer';
const WALLET = `0x${'d4'.repeat(20)}`;
const MARKET = `0x${'c1'.repeat(32)}`;
const MERGE: ConversionRequest = { kind: 'merge', marketIds: [MARKET], shares: sharesFromText('10') };
const REVERT = parseAbi(['error Error(string reason)', 'error Paused()']);

let standIn: StandIn;
let node: Map<string, unknown>;
const logged: unknown[] = [];
const closers: (() => Promise<void>)[] = [];
const runtime: VenueRuntime = {
  ...TEST_RUNTIME,
  log: { info: (...line) => void logged.push(line), warn: (...line) => void logged.push(line) },
};

/** A node that answers each method out of `node`; what is an error is answered as one. */
beforeEach(async () => {
  standIn = await openStandIn();
  logged.length = 0;
  standIn.answer('POST /auth/api-key', () => TEST_KEY);
  standIn.answer('GET /gamma/markets/keyset', () => ({
    markets: [{ ...WIRE_MARKET, conditionId: MARKET, negRisk: false }],
    next_cursor: null,
  }));
  node = new Map<string, unknown>([
    ['eth_chainId', '0x89'],
    ['eth_blockNumber', '0x64'],
    ['eth_getTransactionCount', '0x7'],
    ['eth_estimateGas', '0x30d40'],
    ['eth_maxPriorityFeePerGas', numberToHex(30_000_000_000n)],
    ['eth_getBalance', numberToHex(10n ** 20n)],
    [
      'eth_getBlockByNumber',
      { number: '0x64', hash: zeroHash, timestamp: '0x65000000', baseFeePerGas: numberToHex(30_000_000_000n) },
    ],
    ['eth_call', '0x'],
  ]);
  standIn.answer(`POST /${NODE_KEY}`, ({ body }) => {
    const { method } = JSON.parse(body) as { method: string };
    const answered = node.get(method);
    if (typeof answered === 'number') return answered;
    if (answered instanceof Response) return answered.clone();
    if (typeof answered === 'object' && answered !== null && 'message' in answered) {
      return { jsonrpc: '2.0', id: 1, error: { code: 3, ...answered } };
    }
    return { jsonrpc: '2.0', id: 1, result: answered };
  });
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await standIn.close();
});

async function openWith(given: Partial<PolymarketConfig>, chain: Partial<PolymarketConfig['chain']> = {}) {
  const config = standIn.config();
  const venue = await openPolymarket(
    {
      ...config,
      privateKey: PRIVATE_KEY,
      ...given,
      chain: {
        ...config.chain,
        rpcUrls: [`${config.clobUrl}/${NODE_KEY}`],
        relayerUrl: `${config.clobUrl}/relayer`,
        relayerKey: RELAYER_KEY,
        ...chain,
      },
    },
    runtime,
  );
  closers.push(() => venue.close());
  return venue.chain;
}

async function opened(...given: Parameters<typeof openWith>): Promise<VenueChain> {
  const chain = await openWith(...given);
  if (chain === null) throw new Error('there is a chain');
  return chain;
}

const preparedBy = async (chain: VenueChain): Promise<PreparedConversion> => chain.prepare([MERGE]);

describe('the chain', () => {
  it('is none without a key, without a node, on another chain and without a key at the relayer', async () => {
    expect(await openWith({})).not.toBeNull();
    expect(await openWith({ privateKey: null })).toBeNull();
    expect(await openWith({}, { rpcUrls: [] })).toBeNull();
    expect(await openWith({ chainId: 80002 })).toBeNull();
    expect(await openWith({ funder: WALLET, signatureType: 2 })).not.toBeNull();
    expect(await openWith({ funder: WALLET, signatureType: 2 }, { relayerKey: null })).toBeNull();
  });

  it('believes no node of another chain', async () => {
    node.set('eth_chainId', '0x1');
    await expect((await opened({})).prepare([MERGE])).rejects.toThrow('not one of chain 137');
  });

  it('shows the highest cost of the gas in wei and in POL, and refuses what is more than the cap or than the key has', async () => {
    const { highestCost } = await preparedBy(await opened({}));
    // 260,000 units of gas at twice 30 gwei and 30 gwei besides.
    expect(highestCost).toEqual({ wei: '23400000000000000', native: '0.0234', symbol: 'POL' });
    node.set('eth_maxPriorityFeePerGas', '0x1');
    expect((await preparedBy(await opened({}))).highestCost).toEqual(highestCost);
    await expect(preparedBy(await opened({}, { gasCap: '0.0233' }))).rejects.toThrow(
      new ConversionRefused('its gas may cost 0.0234 POL, more than the 0.0233 POL configured'),
    );
    node.set('eth_getBalance', '0x1');
    await expect(preparedBy(await opened({}))).rejects.toThrow('and the key has 0.000000000000000001');
  });

  it('refuses what the chain would take back, with its reason', async () => {
    const data = encodeErrorResult({ abi: REVERT, errorName: 'Error', args: ['not enough'] });
    node.set('eth_estimateGas', { message: 'execution reverted', data });
    await expect(preparedBy(await opened({}))).rejects.toThrow(
      new ConversionRefused('the chain would refuse it: not enough'),
    );
    const own = encodeErrorResult({ abi: REVERT, errorName: 'Paused' });
    node.set('eth_estimateGas', { message: 'execution reverted', data: own });
    await expect(preparedBy(await opened({}))).rejects.toThrow(`the chain would refuse it: error ${own}`);
    node.set('eth_estimateGas', { message: 'header not found' });
    await expect(preparedBy(await opened({}))).rejects.toThrow(VenueUnavailable);
  });

  it.each([
    ['nonce too low', 'unknown'],
    ['already known', 'sent'],
    ['insufficient funds for gas * price + value', 'refused'],
    ['replacement transaction underpriced', 'refused'],
    ['internal error', 'unknown'],
  ])('a node that says "%s" to what is sent: %s', async (message, kind) => {
    const chain = await opened({});
    const prepared = await preparedBy(chain);
    node.set('eth_sendRawTransaction', { message });
    expect((await chain.submit(prepared)).kind).toBe(kind);
  });

  it('a node that wants fewer calls, breaks off or answers with something else has not taken it for sure', async () => {
    const chain = await opened({});
    const prepared = await preparedBy(chain);
    for (const answered of [503, '0x12', null, undefined, { hash: prepared.id }]) {
      node.set('eth_sendRawTransaction', answered);
      expect((await chain.submit(prepared)).kind).toBe('unknown');
    }
    node.set('eth_sendRawTransaction', 429);
    const limited = await chain.submit(prepared);
    expect(limited).toMatchObject({ kind: 'rate_limited', resetsAt: expect.any(Number) });
  });

  it('never throws where what was stored cannot be read, and sends nothing of it', async () => {
    for (const account of [{}, { funder: WALLET, signatureType: 3 as const }]) {
      const chain = await opened(account);
      const broken = { id: '0x1', nonce: 0, deadline: null, highestCost: null, payload: '{' };
      const before = standIn.requests.length;
      expect((await chain.submit(broken)).kind).toBe('refused');
      expect((await chain.lookUp(broken)).kind).toBe('unknown');
      expect(standIn.requests).toHaveLength(before);
    }
  });

  it('reads nothing out of answers that make no sense', async () => {
    const chain = await opened({});
    const prepared = await preparedBy(chain);
    for (const garbage of [undefined, null, 'x', 12, {}, { blockNumber: '0x1' }, `0x${'f'.repeat(64)}`]) {
      for (const method of ['eth_blockNumber', 'eth_call', 'eth_getTransactionReceipt', 'eth_getTransactionCount']) {
        const proper = node.get(method);
        node.set(method, garbage === 12 ? 500 : garbage);
        expect(['unknown', 'pending']).toContain((await chain.lookUp(prepared)).kind);
        await chain.balances(['71']).then(
          () => expect(method).not.toBe('eth_call'),
          (error: unknown) => expect(error).toBeInstanceOf(VenueUnavailable),
        );
        node.set(method, proper);
      }
    }
    const most = encodeFunctionResult({
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      result: 2n ** 200n,
    });
    node.set('eth_call', most);
    await expect(chain.balances([])).rejects.toThrow('not a number we can hold');
  });

  it('names neither its own key nor those of the node and of the relayer, whatever is echoed', async () => {
    const reported: string[] = [];
    const echoed = `${PRIVATE_KEY} ${NODE_KEY} ${RELAYER_KEY}`;
    const chain = await opened({});
    const prepared = await preparedBy(chain);
    reported.push(JSON.stringify(prepared));
    for (const answered of [{ message: `refused ${echoed}` }, new Response(echoed, { status: 500 })]) {
      for (const method of ['eth_sendRawTransaction', 'eth_blockNumber', 'eth_estimateGas']) node.set(method, answered);
      reported.push(JSON.stringify([await chain.submit(prepared), await chain.lookUp(prepared)]));
      reported.push(String(await preparedBy(chain).catch((error: unknown) => error)));
      reported.push(String(await chain.balances([]).catch((error: unknown) => error)));
    }
    for (const method of ['eth_blockNumber', 'eth_estimateGas']) node.set(method, '0x64');
    const relayed = await opened({ funder: WALLET, signatureType: 3 });
    standIn.answer('GET /relayer/nonce', () => ({ nonce: '3' }));
    const batch = await preparedBy(relayed);
    expect(batch).toMatchObject({ nonce: 3, highestCost: null, deadline: expect.any(Number) });
    let shown: unknown;
    standIn.answer('POST /relayer/submit', ({ headers }) => {
      shown = [headers.relayer_api_key, headers.relayer_api_key_address];
      return new Response(JSON.stringify({ error: echoed }), { status: 400 });
    });
    const outcome = await relayed.submit(batch);
    expect(outcome.kind).toBe('refused');
    expect(shown).toEqual([RELAYER_KEY, expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)]);
    reported.push(JSON.stringify([batch, outcome, await relayed.lookUp(batch), logged]));
    for (const text of reported) {
      expect(text).not.toContain('42'.repeat(32));
      expect(text).not.toContain(NODE_KEY);
      expect(text).not.toContain(RELAYER_KEY);
    }
    expect(reported.join()).toContain('[hidden]');
  });
});
