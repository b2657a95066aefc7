import type { Instant } from '@dutchbook/units/instant.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { buildCatalogue, type EventListing } from '../../catalogue/listing.ts';
import { seededRandom } from '../../makers/random.ts';
import type { UpstreamLevel } from '../upstream/frames.ts';
import { compare, START, type TapeFrame } from './compare-with-tape.fixture.ts';

function* drawnTape(events: readonly EventListing[]): Generator<TapeFrame> {
  const { unit } = seededRandom(3);
  const markets = events.flatMap(({ markets: listed }) => listed);
  const middles = markets.map(() => 50);
  for (let at = 0; at < 400_000; at += 40) {
    const index = Math.floor(unit() * markets.length);
    const tokens = markets[index]?.tokens;
    if (tokens === undefined) continue;
    const middle = Math.min(80, Math.max(20, (middles[index] ?? 50) + Math.round(unit() * 2 - 1)));
    middles[index] = middle;
    const levels = [1, 2, 3].flatMap((step): UpstreamLevel[] => {
      const isBid = unit() < 0.5;
      const price = ((middle + (isBid ? -step : step)) * 10_000) as Price;
      const size = (unit() < 0.25 ? 0 : Math.floor(unit() * 300) * 1_000_000) as Shares;
      return [
        { tokenId: tokens[0], side: isBid ? 'BUY' : 'SELL', price, size },
        { tokenId: tokens[1], side: isBid ? 'SELL' : 'BUY', price: complement(price), size },
      ];
    });
    yield { at, levels };
  }
}

describe('orders one latency behind a tape', () => {
  it('get what the tape itself says that they meet, each in price, size, cost and fee', async () => {
    const [first] = buildCatalogue(1, START as Instant);
    if (first === undefined) throw new Error('the catalogue lists events');
    const counts = await compare({ events: [first], tape: drawnTape([first]), every: 4, fills: 'latency' });
    expect(counts.orders).toBe(2_500);
    expect(counts.filled).toBeGreaterThan(800);
    expect(counts.differing).toBe(0);
  });

  it('get by survival the part of that which the tape leaves of best levels one latency later', async () => {
    const [first] = buildCatalogue(1, START as Instant);
    if (first === undefined) throw new Error('the catalogue lists events');
    const counts = await compare({ events: [first], tape: drawnTape([first]), every: 4, fills: 'survival' });
    expect(counts.filled).toBeGreaterThan(800);
    expect(counts.differing).toBe(0);
    expect(counts.share).toBeLessThan(1);
  });
});
