import { describe, expect, it } from 'vitest';
import { openMakers, TEN_MINUTES_MS } from './open-makers.fixture.ts';

describe('the market makers over two hours', () => {
  it.each([24, 35])('never quote a price that no market has, nor a bid at an ask (seed %i)', (seed) => {
    const { engine, jump } = openMakers(seed);
    const wrong = new Set<string>();
    engine.announcer.listen({
      levelsChanged: ({ book, tick, listing }) => {
        const prices = (['bid', 'ask'] as const).flatMap((side) => book.levels(side).map(({ price }) => price));
        const [bid = 0, ask = 1_000_000] = [book.best('bid'), book.best('ask')];
        if (bid >= ask || prices.some((price) => price < tick || price > 1_000_000 - tick))
          wrong.add(`${listing.question}: ${bid} to ${ask}`);
      },
    });
    for (let atMs = 0; atMs < 12 * TEN_MINUTES_MS; ) atMs = jump();
    expect([...wrong]).toEqual([]);
  });
});
