import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader } from '../adapters/polymarket/exchange-fixture.ts';
import { followMarket, openWorld, type PaperWorld, plainMarket } from './paper.fixture.ts';

let world: PaperWorld;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const BOOK = {
  bids: [
    { price: '0.39', size: '10' },
    { price: '0.4', size: '100' },
  ],
  asks: [{ price: '0.42', size: '50' }],
};

async function listed(path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor = '';
  do {
    const page = await world.paper.get<Record<string, unknown>>(
      `/gamma/${path}/keyset?closed=false&limit=30${cursor === '' ? '' : `&after_cursor=${cursor}`}`,
    );
    items.push(...(page[path] as unknown[]));
    cursor = String(page.next_cursor ?? '');
  } while (cursor !== '');
  return items;
}

describe('a mirrored catalogue', () => {
  it('lists all events and markets of the venue as the venue words them', async () => {
    const { events } = await world.real.get<{ events: { markets: unknown[] }[] }>(
      '/gamma/events/keyset?closed=false&limit=100',
    );
    expect(await listed('events')).toEqual(events);
    const { markets } = await world.real.get<{ markets: { id: string; events: unknown[] }[] }>(
      '/gamma/markets/keyset?closed=false&limit=100',
    );
    const mirrored = (await listed('markets')) as typeof markets;
    expect(mirrored.slice(0, 100).map(({ id }) => id)).toEqual(markets.map(({ id }) => id));
    expect(mirrored[0]).toMatchObject(markets[0] ?? {});
    expect(await world.paper.get('/_control/paper')).toMatchObject({
      fills: 'touch',
      cash: '1000',
      left_out: [],
      upstream: ['127.0.0.1'],
    });
  });
});

describe('mirrored books', () => {
  it('arrive on the stream, with every change, and are answered over REST whether they are followed or not', async () => {
    const { tokens } = await plainMarket(world.paper);
    await world.real.control('book', { token_id: tokens[0], ...BOOK });
    expect(await world.paper.book(tokens[0])).toMatchObject(BOOK);
    const stream = await followMarket(world.paper, tokens);
    await stream.expect(
      (frame: { event_type: string; asset_id: string }) => frame.event_type === 'book' && frame.asset_id === tokens[1],
    );
    await world.real.control('book', { token_id: tokens[0], ...BOOK, asks: [{ price: '0.43', size: '7' }] });
    await expect.poll(() => world.paper.book(tokens[0])).toMatchObject({ asks: [{ price: '0.43', size: '7' }] });
    stream.close();
  });
});

describe('an order on a mirrored book', () => {
  it('is filled by what is displayed, which stays away until the venue moves there', async () => {
    const { tokens } = await plainMarket(world.paper);
    await world.real.control('book', { token_id: tokens[0], ...BOOK });
    const { client } = await connectTrader(world.paper.url);
    const placed = await client.createAndPostOrder({ tokenID: tokens[0], price: 0.42, size: 20, side: Side.BUY });
    expect(placed).toMatchObject({ success: true, status: 'matched', takingAmount: '20', makingAmount: '8.4' });
    expect(await world.paper.book(tokens[0])).toMatchObject({ asks: [{ price: '0.42', size: '30' }] });
    expect(await world.real.book(tokens[0])).toMatchObject({ asks: [{ price: '0.42', size: '50' }] });
    await world.real.control('book', { token_id: tokens[0], ...BOOK, bids: [{ price: '0.41', size: '5' }] });
    await expect.poll(() => world.paper.book(tokens[0])).toMatchObject({ bids: [{ price: '0.41', size: '5' }] });
    expect(await world.paper.book(tokens[0])).toMatchObject({ asks: [{ price: '0.42', size: '30' }] });
    await world.real.control('book', { token_id: tokens[0], ...BOOK, asks: [{ price: '0.42', size: '45' }] });
    await expect.poll(() => world.paper.book(tokens[0])).toMatchObject({ asks: [{ price: '0.42', size: '45' }] });
  });
});
