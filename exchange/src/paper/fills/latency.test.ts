import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader, type Trader } from '../../adapters/polymarket/exchange-fixture.ts';
import { openWorld, type PaperWorld, plainMarket } from '../paper.fixture.ts';
import { Latency } from './latency.ts';

describe('the latency of a venue', () => {
  it('is assumed until it is measured, then the median of the last calls in whole milliseconds', () => {
    const latency = new Latency();
    expect(latency.ms).toBe(150);
    for (const ms of [20.4, 900, 30.2]) latency.note(ms);
    expect(latency.ms).toBe(31);
    for (let call = 0; call < 40; call++) latency.note(5_000);
    expect(latency.ms).toBe(700);
  });
});

describe('an order that travels for one latency', () => {
  /** On the clock of the exchange, which only the test moves. */
  const LATENCY_MS = 3_600_000;
  let world: PaperWorld;
  let mine: Trader;
  let tokens: [string, string];

  beforeEach(async () => {
    world = await openWorld({ fills: 'latency', latencyMs: LATENCY_MS });
    ({ tokens } = await plainMarket(world.paper));
    await show({ price: '0.42', size: '50' });
    mine = await connectTrader(world.paper.url);
  });

  afterEach(() => world.close());

  async function show(ask: { price: string; size: string }): Promise<void> {
    await world.real.control('book', { token_id: tokens[0], asks: [ask] });
    await expect.poll(() => world.paper.book(tokens[0])).toMatchObject({ asks: [ask] });
  }

  async function buyWhile(changes: () => Promise<void>) {
    const answer = mine.client.createAndPostOrder({ tokenID: tokens[0], price: 0.42, size: 20, side: Side.BUY });
    await expect.poll(() => world.paper.get('/_control/paper')).toMatchObject({ books: 1 });
    await changes();
    await world.paper.control('clock', { advance_ms: LATENCY_MS });
    return answer;
  }

  it('meets what is displayed when it arrives, at its limit or better', async () => {
    expect(await buyWhile(() => show({ price: '0.4', size: '50' }))).toMatchObject({
      ...{ status: 'matched', takingAmount: '20', makingAmount: '8' },
    });
  });

  it('rests where what it was sent for is gone', async () => {
    expect(await buyWhile(() => show({ price: '0.43', size: '50' }))).toMatchObject({ status: 'live' });
    expect(await world.paper.book(tokens[0])).toMatchObject({ bids: [{ price: '0.42', size: '20' }] });
  });
});
