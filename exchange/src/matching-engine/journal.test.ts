import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../adapters/polymarket/exchange-fixture.ts';

let folder: string;
let journalFile: string;
let fixture: Fixture;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-journal-'));
  journalFile = join(folder, 'journal.jsonl');
});

afterEach(async () => {
  await fixture.exchange.close();
  rmSync(folder, { recursive: true });
});

/** One filled, one resting order, and a filled one whose trade is still on its way. */
async function tradeALittle(): Promise<string> {
  fixture = await openFixture({ journalFile });
  const trader = await fixture.trader();
  const [market] = await fixture.markets();
  if (market === undefined) throw new Error('the catalogue lists markets');
  const [yes] = market.tokens;
  await fixture.control('book', { token_id: yes, asks: [{ price: '0.5', size: '100' }] });
  const buy = (price: number) => trader.client.createOrder({ tokenID: yes, price, size: 10, side: Side.BUY });
  await trader.client.postOrder(await buy(0.5), undefined, false, true);
  await fixture.control('clock', { advance_ms: 10_000 });
  await trader.client.postOrder(await buy(0.05), undefined, false, true);
  await trader.client.postOrder(await buy(0.5), undefined, false, true);
  return yes;
}

/** A line of the journal as versions wrote it that made a trade for each maker. */
function asEarlierVersion(line: string): string {
  if (line === '') return line;
  const records = JSON.parse(line) as { kind: string; value: Record<string, unknown> }[];
  const earlier = records.map((record) => {
    if (record.kind !== 'trade') return record;
    const { makers, takerUsd, ...value } = record.value;
    const [{ orderId, account, tokenId, outcome, side, price }] = makers as [Record<string, unknown>];
    return { ...record, value: { ...value, maker: { orderId, account, tokenId, outcome, side, price } } };
  });
  return JSON.stringify(earlier);
}

describe('the journal', () => {
  it('brings back keys, orders, trades and balances, and settles what was under way', async () => {
    const yes = await tradeALittle();
    const before = await fixture.state();
    expect(before.account.tokens).toEqual({ [yes]: '10' });
    await fixture.exchange.close();

    fixture = await openFixture({ journalFile });
    expect(await fixture.state()).toEqual(before);
    const trader = await fixture.trader();
    const open = await trader.client.getOpenOrders();
    expect(open).toMatchObject([{ price: '0.05', original_size: '10' }]);
    expect((await trader.client.getOrderBook(yes)).bids).toContainEqual({ price: '0.05', size: '10' });
    await fixture.control('clock', { advance_ms: 10_000 });
    const after = await fixture.state();
    expect(after.trades.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    expect(after.account.tokens).toEqual({ [yes]: '20' });
  });

  it('reads what an earlier version wrote, which knew one maker to a trade, and settles what was under way', async () => {
    const yes = await tradeALittle();
    const before = await fixture.state();
    await fixture.exchange.close();
    writeFileSync(journalFile, readFileSync(journalFile, 'utf8').split('\n').map(asEarlierVersion).join('\n'));
    expect(readFileSync(journalFile, 'utf8')).not.toContain('"makers"');

    fixture = await openFixture({ journalFile });
    expect(await fixture.state()).toEqual(before);
    const trades = await (await fixture.trader()).client.getTrades();
    expect(trades.map(({ size, maker_orders }) => [size, maker_orders.map((maker) => maker.matched_amount)])).toEqual([
      ['10', ['10']],
      ['10', ['10']],
    ]);
    await fixture.control('clock', { advance_ms: 10_000 });
    const after = await fixture.state();
    expect(after.account.tokens).toEqual({ [yes]: '20' });
    // Twice five dollars and the fee of 10 x 0.05 x 0.5 x 0.5.
    expect(after.account.usd).toBe('9989.75');
  });

  it('ignores a last line that a crash tore, and goes on after it', async () => {
    await tradeALittle();
    const before = await fixture.state();
    await fixture.exchange.close();
    appendFileSync(journalFile, '[{"kind":"balance","id":"0xf39F');

    fixture = await openFixture({ journalFile });
    expect(await fixture.state()).toEqual(before);
    await fixture.control('balance', { usd: '1' });
    await fixture.exchange.close();
    fixture = await openFixture({ journalFile });
    expect((await fixture.state()).account.usd).toBe('1');
    expect(readFileSync(journalFile, 'utf8')).not.toContain('0xf39F"');
  });

  it('remembers which markets were resolved', async () => {
    fixture = await openFixture({ journalFile });
    const [market] = await fixture.markets();
    await fixture.control('resolve', { condition_id: market?.conditionId, outcome: 'No' });
    await fixture.exchange.close();
    fixture = await openFixture({ journalFile });
    const url = `${fixture.exchange.url}/gamma/markets?closed=true&condition_ids=${market?.conditionId}`;
    const closed = await fetch(url);
    expect(await closed.json()).toMatchObject([{ conditionId: market?.conditionId, acceptingOrders: false }]);
  });
});
