import { AssetType, type ClobClient, Side } from '@polymarket/clob-client-v2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, type Trader } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let positions: ListedMarket[];
let plain: ListedMarket;

beforeAll(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const markets = await fixture.markets();
  positions = markets.filter(({ version }) => version === 'v2');
  const [firstPlain] = markets.filter(({ version, negRisk }) => version === 'v1' && !negRisk);
  if (firstPlain === undefined) throw new Error('the catalogue lists standard markets');
  plain = firstPlain;
});

afterAll(() => fixture.exchange.close());

function first(): ListedMarket {
  const [market] = positions;
  if (market === undefined) throw new Error('the catalogue lists markets of Protocol V2');
  return market;
}

async function signed({ tokens }: ListedMarket, version: 2 | 3): ReturnType<ClobClient['createOrder']> {
  const order = { tokenID: tokens[0], price: 0.5, size: 10, side: Side.BUY };
  return trader.client.createOrder(order, { tickSize: '0.01', negRisk: false, version });
}

/** The balance of a token in whole shares; the client's list of asset types ends before Protocol V2. */
async function balance(tokenId: string, type: string): Promise<number> {
  const answer = await trader.client.getBalanceAllowance({ asset_type: type as AssetType, token_id: tokenId });
  return Number(answer.balance) / 1_000_000;
}

it('lists markets of Protocol V2 by position ids, the others by token ids in JSON text', async () => {
  expect(positions.length).toBeGreaterThanOrEqual(4);
  const listed = (await (await fetch(`${fixture.exchange.url}/gamma/markets?limit=100`)).json()) as object[];
  for (const market of listed) {
    if ('version' in market && market.version === 'v2') {
      expect(market).toMatchObject({ positionIds: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)] });
      expect(market).toMatchObject({ conditionId: expect.stringMatching(/^0x[0-9a-f]{62}00$/) });
      expect(market).not.toHaveProperty('clobTokenIds');
    } else {
      expect(market).toMatchObject({ version: 'v1', clobTokenIds: expect.any(String) });
      expect(market).not.toHaveProperty('positionIds');
    }
  }
});

it('trades positions with orders signed under version 3, and holds them apart from conditional tokens', async () => {
  const [yes] = first().tokens;
  await fixture.control('book', { token_id: yes, asks: [{ price: '0.5', size: '100' }] });
  const placed = await trader.client.postOrder(await signed(first(), 3));
  expect(placed).toMatchObject({ success: true, status: 'matched', takingAmount: '10' });
  await fixture.control('clock', { advance_ms: 5_000 });
  expect(await balance(yes, 'CONDITIONAL-V2')).toBe(10);
  expect(await balance(yes, AssetType.CONDITIONAL)).toBe(0);
  await fixture.control('split', { condition_id: plain.conditionId, amount: '4' });
  expect(await balance(plain.tokens[0], AssetType.CONDITIONAL)).toBe(4);
  expect(await balance(plain.tokens[0], 'CONDITIONAL-V2')).toBe(0);
});

it('refuses an order signed under the version of the other protocol', async () => {
  for (const [market, version] of [
    [first(), 2],
    [plain, 3],
  ] as const) {
    await expect(trader.client.postOrder(await signed(market, version))).rejects.toMatchObject({
      status: 400,
      message: 'order_version_mismatch',
    });
  }
});
