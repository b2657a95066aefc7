import { Side } from '@polymarket/clob-client-v2';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, TEST_KEY, type Trader } from '../exchange-fixture.ts';

const OTHER_KEY: Hex = `0x${'43'.repeat(32)}`;
const WALLET = privateKeyToAccount(TEST_KEY).address;

let fixture: Fixture;
let trader: Trader;
let plain: ListedMarket;
let second: ListedMarket;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const [first, next] = (await fixture.markets()).filter(({ negRisk, version }) => !negRisk && version === 'v1');
  if (first === undefined || next === undefined) throw new Error('the catalogue lists two plain markets');
  plain = first;
  second = next;
});

afterEach(() => fixture.exchange.close());

interface Row extends Record<string, unknown> {
  readonly token_id: string;
  readonly current_size: number;
  readonly status: string;
}

interface Page {
  readonly data: readonly Row[];
  readonly pagination: {
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  };
}

async function answerTo(query: Record<string, string>): Promise<{ status: number; body: Page & { error?: string } }> {
  const search = new URLSearchParams(query);
  const response = await fetch(`${fixture.exchange.url}/data-api/v2/positions?${search}`);
  return { status: response.status, body: (await response.json()) as Page & { error?: string } };
}

async function rows(query: Record<string, string> = {}): Promise<readonly Row[]> {
  const { status, body } = await answerTo({ user: WALLET, ...query });
  expect(status).toBe(200);
  return body.data;
}

const idsOf = (found: readonly Row[]) => found.map(({ token_id }) => token_id);

async function buy(market: ListedMarket, size: number, ask: string): Promise<void> {
  const [yes] = market.tokens;
  await fixture.control('book', { token_id: yes, bids: [], asks: [{ price: ask, size: '100' }] });
  await trader.client.createAndPostOrder({ tokenID: yes, side: Side.BUY, price: Number(ask), size });
  await fixture.control('clock', { advance_ms: 5_000 });
}

describe('the positions of the data API', () => {
  it('are answered to anyone, with what they cost and are worth', async () => {
    await buy(plain, 10, '0.4');
    await buy(plain, 30, '0.44');
    const [yes, no] = plain.tokens;
    await fixture.control('book', {
      token_id: yes,
      bids: [{ price: '0.48', size: '10' }],
      asks: [{ price: '0.52', size: '10' }],
    });
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      proxy_wallet: WALLET.toLowerCase(),
      token_id: yes,
      condition_id: plain.conditionId,
      opposite_token_id: no,
      outcome: 'Yes',
      outcome_index: 0,
      current_size: 40,
      total_size: 40,
      avg_price: 0.43,
      entry_cost_usdc: 17.2,
      current_price: 0.5,
      current_value: 20,
      unrealized_pnl: 2.8,
      realized_pnl: 0,
      status: 'OPEN',
      redeemable: false,
      mergeable: false,
    });
    expect(row?.last_event_at).toBeGreaterThan(1_700_000_000);
  });

  it('count a trade once it is mined, and never one that failed', async () => {
    const [yes] = plain.tokens;
    await fixture.control('book', { token_id: yes, bids: [], asks: [{ price: '0.4', size: '100' }] });
    await fixture.control('faults', { name: 'fail_settlement' });
    const order = { tokenID: yes, side: Side.BUY, price: 0.4, size: 10 };
    await trader.client.createAndPostOrder(order);
    await fixture.control('clock', { advance_ms: 5_000 });
    await trader.client.createAndPostOrder(order);
    expect(await rows()).toEqual([]);
    await fixture.control('clock', { advance_ms: 5_000 });
    expect(await rows()).toMatchObject([{ current_size: 10, total_size: 10, avg_price: 0.4 }]);
  });

  it('are open, redeemable or closed, and found so', async () => {
    await buy(plain, 10, '0.4');
    await fixture.control('split', { condition_id: second.conditionId, amount: '5' });
    const [won] = plain.tokens;
    expect(idsOf(await rows({ status: 'MERGEABLE' })).sort()).toEqual([...second.tokens].sort());
    expect(await rows({ status: 'REDEEMABLE' })).toEqual([]);
    await fixture.control('resolve', { condition_id: plain.conditionId, outcome: 'Yes' });
    await fixture.control('resolve', { condition_id: second.conditionId, outcome: 'No' });
    expect((await rows()).map(({ status }) => status)).toEqual(['REDEEMABLE', 'REDEEMABLE', 'REDEEMABLE']);
    expect(idsOf(await rows({ status: 'REDEEMABLE' }))).toEqual([won, second.tokens[1], second.tokens[0]]);
    expect(await rows({ status: 'REDEEMABLE_LOST' })).toMatchObject([
      { token_id: second.tokens[0], status: 'REDEEMABLE', redeemable: true, current_price: 0, current_value: 0 },
    ]);
    expect(await rows({ status: 'MERGEABLE' })).toEqual([]);
    await fixture.control('redeem', { condition_id: plain.conditionId });
    expect(await rows({ condition: plain.conditionId })).toEqual([]);
    expect(await rows({ status: 'CLOSED' })).toMatchObject([
      { token_id: won, status: 'CLOSED', current_size: 0, total_size: 10, redeemable: false },
    ]);
  });

  it('leave out less than a tenth of a share', async () => {
    await fixture.control('split', { condition_id: plain.conditionId, amount: '0.099999' });
    await fixture.control('split', { condition_id: second.conditionId, amount: '0.1' });
    expect(idsOf(await rows()).sort()).toEqual([...second.tokens].sort());
    expect(await rows({ filterAmount: '0.2' })).toEqual([]);
  });

  it('come page by page, in an order that the cursor keeps', async () => {
    const markets = (await fixture.markets()).slice(0, 4);
    for (const [nth, { conditionId }] of markets.entries())
      await fixture.control('split', { condition_id: conditionId, amount: String(nth + 1) });
    const first = (await answerTo({ user: WALLET, sort_by: 'TOKENS', limit: '3' })).body;
    expect(first.pagination).toMatchObject({ limit: 3, offset: 0, has_more: true });
    const sizes: number[] = first.data.map(({ current_size }) => current_size);
    let { next_cursor: cursor } = first.pagination;
    while (cursor !== null) {
      const { data, pagination } = (await answerTo({ user: WALLET, limit: '500', cursor })).body;
      expect(pagination).toMatchObject({ limit: 3, offset: sizes.length, has_more: pagination.next_cursor !== null });
      sizes.push(...data.map(({ current_size }) => current_size));
      cursor = pagination.next_cursor;
    }
    expect(sizes).toEqual([4, 4, 3, 3, 2, 2, 1, 1]);
  });

  it('are refused to who asks for what there is not', async () => {
    await fixture.control('split', { condition_id: plain.conditionId, amount: '5' });
    const { next_cursor } = (await answerTo({ user: WALLET, limit: '1' })).body.pagination;
    const wrong: Record<string, string>[] = [
      {},
      { user: '0x1' },
      { user: WALLET, status: 'LOST' },
      { user: WALLET, limit: '1001' },
      { user: WALLET, limit: '0' },
      { user: WALLET, condition: 'all' },
      { user: WALLET, condition: Array.from({ length: 21 }, () => plain.conditionId).join(',') },
      { user: WALLET, cursor: 'nonsense' },
      { user: WALLET, cursor: next_cursor ?? '', status: 'CLOSED' },
      { user: WALLET, cursor: next_cursor ?? '', sort_by: 'TOKENS' },
    ];
    for (const query of wrong) expect((await answerTo(query)).status, JSON.stringify(query)).toBe(400);
  });

  it('are those of the wallet that is asked about alone', async () => {
    const other = privateKeyToAccount(OTHER_KEY).address;
    await fixture.trader(OTHER_KEY);
    await fixture.control('split', { condition_id: plain.conditionId, amount: '5' });
    await fixture.control('split', { condition_id: second.conditionId, amount: '6', account: other });
    expect(idsOf(await rows({ user: WALLET.toLowerCase() })).sort()).toEqual([...plain.tokens].sort());
    expect(idsOf(await rows({ user: other })).sort()).toEqual([...second.tokens].sort());
    expect(await rows({ user: `0x${'9'.repeat(40)}` })).toEqual([]);
  });

  it('fail as a fault says', async () => {
    await fixture.control('split', { condition_id: plain.conditionId, amount: '5' });
    await fixture.control('split', { condition_id: second.conditionId, amount: '6' });
    await fixture.control('faults', { name: 'positions_5xx' });
    expect((await answerTo({ user: WALLET })).status).toBe(503);
    await fixture.control('faults', { name: 'positions_garbage' });
    await expect(answerTo({ user: WALLET })).rejects.toThrow(SyntaxError);
    await fixture.control('faults', { name: 'positions_short_page' });
    expect((await answerTo({ user: WALLET })).body).toMatchObject({ pagination: { has_more: true, limit: 100 } });
    expect(await rows()).toHaveLength(4);
  });
});
