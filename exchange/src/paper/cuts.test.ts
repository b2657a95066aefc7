import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader, type StreamClient } from '../adapters/polymarket/exchange-fixture.ts';
import { startExchange } from '../start-exchange.ts';
import { booksOf, type Frame, placesOf } from './books-after-frames.fixture.ts';
import { type Cable, openCable } from './cable.fixture.ts';
import { followMarket, openPaper, plainMarket, type Venue, venueOf } from './paper.fixture.ts';

let real: Venue;
let cable: Cable;
let paper: Venue;
const streams: StreamClient[] = [];

beforeEach(async () => {
  real = venueOf(await startExchange({ paused: true }));
  cable = await openCable(real.port);
  paper = await openPaper(cable.url);
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await paper.close();
  await cable.close();
  await real.close();
});

async function follow(venue: Venue, tokens: readonly string[]): Promise<StreamClient> {
  const stream = await followMarket(venue, tokens);
  streams.push(stream);
  await stream.expect((frame: Frame) => frame.event_type === 'book');
  return stream;
}

const changesOf = (stream: StreamClient) =>
  (stream.frames as Frame[])
    .filter(({ event_type }) => event_type === 'price_change')
    .map(({ price_changes }) =>
      price_changes.map(({ asset_id, side, price, size }) => ({ asset_id, side, price, size })),
    );

/** Orders of another trader at the venue, each at a size of its own, so that no two books are alike. */
async function trade(tokens: readonly string[], from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number++) {
    const order = { side: 'BUY', price: String((10 + (number % 30)) / 100), size: String((500 + number) / 100) };
    await real.control('order', { token_id: tokens[number % 2], ...order });
  }
}

describe('a mirror of books that move', () => {
  it('has each frame once and the same book after each', async () => {
    const { tokens } = await plainMarket(paper);
    await connectTrader(real.url);
    const [there, here] = [await follow(real, tokens), await follow(paper, tokens)];
    await trade(tokens, 0, 60);
    await expect.poll(() => changesOf(here)).toEqual(changesOf(there));
    expect(changesOf(there)).toHaveLength(60);
    for (const token of tokens) expect(booksOf(here.frames, token)).toEqual(booksOf(there.frames, token));
  });

  it('sends each client the books of its tokens, and says itself what the account has taken of a book', async () => {
    const { tokens } = await plainMarket(paper);
    const { client } = await connectTrader(paper.url);
    await connectTrader(real.url);
    const asks = [{ price: '0.42', size: '50' }];
    await real.control('book', { token_id: tokens[0], bids: [{ price: '0.05', size: '9' }], asks });
    const [there, here, half] = [
      await follow(real, tokens),
      await follow(paper, tokens),
      await follow(paper, [tokens[1]]),
    ];
    await trade(tokens, 0, 5);
    await expect.poll(() => booksOf(half.frames, tokens[1]).at(-1)).toBe(booksOf(there.frames, tokens[1]).at(-1));
    half.close();
    await client.createAndPostOrder({ tokenID: tokens[0], price: 0.42, size: 20, side: Side.BUY });
    await trade(tokens, 5, 5);
    const ownAsk = 'SELL 0.42';
    const lastOf = (stream: StreamClient) => booksOf(stream.frames, tokens[0]).at(-1) ?? '';
    await expect.poll(() => lastOf(here)).toBe(lastOf(there).replace(`${ownAsk},50`, `${ownAsk},30`));
    expect((await paper.book(tokens[0])).asks.at(-1)).toEqual({ price: '0.42', size: '30' });
  });

  it('is silent while it is cut off, keep-alives included, and goes on from a fresh book without missing or doubling a frame', async () => {
    const { tokens } = await plainMarket(paper);
    await connectTrader(real.url);
    const [there, here] = [await follow(real, tokens), await follow(paper, tokens)];
    const isConnected = () => paper.get<{ connected: boolean; books: number }>('/_control/paper');
    for (let round = 0; round < 4; round++) {
      await trade(tokens, round * 30, 10);
      cable.cut(200);
      await trade(tokens, round * 30 + 10, 10);
      await expect.poll(isConnected).toMatchObject({ connected: true, books: 1 });
      await trade(tokens, round * 30 + 20, 10);
    }
    for (const token of tokens) {
      const booksThere = () => booksOf(there.frames, token);
      const booksHere = () => booksOf(here.frames, token);
      await expect.poll(() => booksHere().at(-1)).toBe(booksThere().at(-1));
      // What is missing lies in the four cuts.
      const { strange, doubled, gaps } = placesOf(booksHere(), booksThere());
      expect({ strange, doubled }).toEqual({ strange: 0, doubled: 0 });
      expect(gaps).toBeLessThanOrEqual(4);
    }

    cable.cut(60_000);
    await expect.poll(isConnected).toMatchObject({ connected: false, books: 0 });
    const heard = here.frames.length;
    here.send('PING');
    await trade(tokens, 200, 3);
    expect(await (await fetch(`${paper.url}/version`)).json()).toEqual({ version: 2 });
    expect(here.frames).toHaveLength(heard);
  });
});
