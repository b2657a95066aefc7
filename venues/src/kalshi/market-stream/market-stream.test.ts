import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MarketStream } from '../../venue.ts';
import { KalshiWorld } from '../kalshi-bench.fixture.ts';

describe('books of the simulated Kalshi', () => {
  let world: KalshiWorld;
  let first: TokenId;
  let second: TokenId;
  let third: TokenId;

  beforeAll(async () => {
    world = await KalshiWorld.start();
    const { data } = await (await world.openVenue()).catalogue.searchMarkets({ skip: 0, limit: 3 });
    [first = '', second = '', third = ''] = data.map(({ outcomes }) => outcomes[0]?.tokenId ?? '');
  });
  afterAll(async () => world?.stop());

  const top = (stream: MarketStream, tokenId: TokenId) => {
    const streamed = stream.book(tokenId);
    return streamed && [streamed.trust, bestBid(streamed.book), bestAsk(streamed.book)];
  };

  /** A stream of both, and each change of trust as it was announced. */
  async function follow(key?: null) {
    await world.control.clearFaults();
    for (const tokenId of [first, second]) await world.control.quote(tokenId, [['0.4', '10']], [['0.6', '10']]);
    const venue = await world.openVenue(key === undefined ? {} : { key });
    const trusts: string[] = [];
    const stream = venue.openMarketStream({
      onBooks: () => {},
      onTrust: (tokenIds, trust) => trusts.push(`${trust} ${tokenIds.length}`),
      onTick: () => {},
      onResolved: () => {},
    });
    stream.subscribe([first, second]);
    return { stream, trusts };
  }

  it('trap 6: are all stale the moment one frame of any of them is lost, and whole again by the snapshots of the venue, without a side that they leave out', async () => {
    const { stream, trusts } = await follow();
    await expect
      .poll(() => [top(stream, first), top(stream, second)])
      .toEqual([
        ['verified', 400_000, 600_000],
        ['verified', 400_000, 600_000],
      ]);
    trusts.length = 0;
    await world.control.fault('lose_book_frame');
    await world.control.quote(first, [['0.41', '10']], [['0.6', '10']]);
    await expect.poll(() => trusts[0]).toBe('stale 4');
    await expect
      .poll(() => [top(stream, first), top(stream, second)])
      .toEqual([
        ['verified', 410_000, 600_000],
        ['verified', 400_000, 600_000],
      ]);
    expect(trusts.filter((trust) => trust.startsWith('live')).length).toBeGreaterThanOrEqual(2);
    // Trap 6: the snapshot leaves out the side that is empty then.
    trusts.length = 0;
    await world.control.fault('lose_book_frame');
    await world.control.quote(first, [['0.42', '10']], []);
    await expect.poll(() => trusts[0]).toBe('stale 4');
    await expect.poll(() => top(stream, first)).toEqual(['verified', 420_000, null]);
    stream.unsubscribe([first, second]);
  });

  it('trap 7: go on while markets come and go, whose acknowledgements take numbers of the subscription', async () => {
    const { stream, trusts } = await follow();
    await expect.poll(() => [top(stream, first)?.[0], top(stream, second)?.[0]]).toEqual(['verified', 'verified']);
    trusts.length = 0;
    stream.subscribe([third]);
    await expect.poll(() => top(stream, third)?.[0]).toBe('verified');
    stream.unsubscribe([third]);
    await world.control.quote(first, [['0.41', '10']], [['0.6', '10']]);
    await expect.poll(() => top(stream, first)?.[1]).toBe(410_000);
    expect(trusts.filter((trust) => trust.startsWith('stale'))).toEqual([]);
    stream.unsubscribe([first, second]);
  });

  it('F19: are stale while changes come twenty seconds late over a live socket, and begun anew by the next one', async () => {
    const { stream, trusts } = await follow();
    await expect.poll(() => top(stream, second)?.[0]).toBe('verified');
    trusts.length = 0;
    await world.control.call('reads', { frame_age_ms: 20_000 });
    await world.control.quote(second, [['0.31', '1']], []);
    await expect.poll(() => trusts[0]).toBe('stale 4');
    await world.control.call('reads', { frame_age_ms: 0 });
    await expect.poll(() => top(stream, second)).toEqual(['verified', 310_000, null]);
    stream.unsubscribe([first, second]);
  });

  it('are stale while the connection is gone, and begun anew by the next one', async () => {
    const { stream, trusts } = await follow();
    await expect.poll(() => top(stream, second)?.[0]).toBe('verified');
    trusts.length = 0;
    await world.control.call('disconnect', {});
    await expect.poll(() => trusts[0]).toBe('stale 4');
    await world.control.quote(second, [['0.3', '1']], []);
    await expect.poll(() => top(stream, second)).toEqual(['verified', 300_000, null]);
    stream.unsubscribe([first, second]);
    expect(stream.health()).toMatchObject({ sockets: 0, tokens: 0 });
  });

  it('are polled without a key: the best level of each side, as old as a round of that', async () => {
    const { stream } = await follow(null);
    await expect.poll(() => top(stream, first)).toEqual(['live', 400_000, 600_000]);
    await world.control.quote(first, [['0.45', '3']], [['0.5', '4']]);
    await expect.poll(() => top(stream, first)).toEqual(['live', 450_000, 500_000]);
    expect(stream.book(first)?.book.bids).toEqual([{ price: 450_000, size: 3_000_000 }]);
    expect(stream.health()).toMatchObject({ sockets: 0, staleTokens: 0, readsFail: false });
  });
});
