import { describe, expect, it } from 'vitest';
import { type Desk, openDesk } from './live-prices.fixture.ts';

/** Ten shares on offer at 40 cents and many at 42; bids at 30. */
function list({ venue }: Desk): void {
  venue.list('rain');
  const asks = [['0.40', '10'] as const, ['0.42', '100'] as const];
  venue.setBooks({ 'rain:yes': { asks, bids: [['0.30', '10']] } });
}

describe('a change of the settings', () => {
  it('prices everything again at once, without any change of a book', async () => {
    await using desk = await openDesk();
    list(desk);
    const added = await desk.add(['rain Yes'], { target_price: 0.1 });
    const { live } = await desk.start();
    const price = () => live.rowsNow([added])[0]?.currentPrice;
    expect(price()).toBe(400_000);
    desk.settings.change({ USE_CUMULATIVE_PRICING: true });
    expect(price()).toBe(420_000);
    desk.settings.change({ ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: 4 });
    expect(price()).toBe(400_000);
    desk.settings.change({ USE_ORDER_BOOK_PRICES: false });
    expect(price()).toBe(350_000);
    desk.settings.change({ USE_ORDER_BOOK_PRICES: true });
    expect(price()).toBe(400_000);
    await desk.test.time.advance(1000);
    expect(await desk.stored(added.id)).toMatchObject({ currentPrice: 400_000, lastError: null, errorCount: 0 });
  });

  it('triggers as any rising edge does: once for all processes, and again only after a fall', async () => {
    await using desk = await openDesk();
    list(desk);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 50 });
    const { id } = await desk.add(['rain Yes'], { target_price: 0.5 });
    await desk.start();
    await desk.start();
    await desk.test.time.advance(10_000);
    expect(desk.placed).toEqual([]);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 25 });
    await expect.poll(() => desk.placed).toEqual([id]);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 20 });
    await desk.untilStored(id, { triggered: true });
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 50 });
    await desk.untilStored(id, { triggered: false });
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 25 });
    await expect.poll(() => desk.placed).toEqual([id, id]);
    await desk.untilStored(id, { triggered: true });
    expect(desk.placed).toEqual([id, id]);
  });

  it('to automatic placing buys on the next rising edge, and not what stands triggered already', async () => {
    await using desk = await openDesk();
    list(desk);
    desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
    const { id } = await desk.add(['rain Yes'], { target_price: 0.5 });
    await desk.start();
    await desk.untilStored(id, { triggered: true });
    desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: true });
    await desk.test.time.advance(10_000);
    expect(desk.placed).toEqual([]);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 50 });
    await desk.untilStored(id, { triggered: false });
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 1 });
    await expect.poll(() => desk.placed).toEqual([id]);
  });

  it('moves to polling and back to the stream at once, and keeps the price until there is a newer one', async () => {
    await using desk = await openDesk();
    list(desk);
    const added = await desk.add(['rain Yes'], { target_price: 0.1 });
    const { live, quotes } = await desk.start();
    const now = () => live.rowsNow([added])[0];
    desk.settings.change({ ENABLE_WEBSOCKET: false });
    expect(desk.venue.subscribed()).toEqual(new Set());
    expect(quotes.health()).toMatchObject({ mode: 'poll', tokens: 1 });
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.41', '10']], bids: [['0.30', '10']] } });
    expect(now()).toMatchObject({ currentPrice: 400_000, lastError: null });
    await desk.test.time.advance(1);
    expect(now()).toMatchObject({ currentPrice: 410_000, lastError: null });
    // Midpoints are the venue's own while books are polled, and none has come yet.
    desk.settings.change({ USE_ORDER_BOOK_PRICES: false });
    expect(now()).toMatchObject({ currentPrice: 410_000, lastError: null });
    desk.settings.change({ USE_ORDER_BOOK_PRICES: true });
    desk.venue.setBooks({ 'rain:yes': { asks: [['0.43', '10']] } });
    desk.settings.change({ ENABLE_WEBSOCKET: true });
    expect(now()).toMatchObject({ currentPrice: 430_000, lastError: null });
    expect(quotes.health()).toMatchObject({ mode: 'stream', tokens: 1 });
  });
});
