import { applyLevelChange, type KeptBook } from '@dutchbook/engine/book/book.ts';
import { complement, type Price, priceFromMicro } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromMicro } from '@dutchbook/units/shares.ts';

const MARKETS = 10;
/** Token with one bid, whose size in millionths counts the steps. */
export const COUNTED = 'count:yes';
const COUNT_PRICE = priceFromMicro(10_000);

/** Random changes of mirrored markets by seed, applied to the given books. */
export function* bookSteps(seed: number, bookOf: (tokenId: string) => KeptBook): Generator<string[]> {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
  const setBoth = (market: string, side: 'buy' | 'sell', price: Price, size: Shares) => {
    applyLevelChange(bookOf(`${market}:yes`), side, price, size);
    applyLevelChange(bookOf(`${market}:no`), side === 'buy' ? 'sell' : 'buy', complement(price), size);
  };
  for (let count = 1; ; count += 1) {
    const market = `m${below(MARKETS * 16) >>> 4}`;
    const side = below(1024) < 512 ? 'buy' : 'sell';
    const price = priceFromMicro((side === 'buy' ? 1 : 51) * 10_000 + (below(49 * 64) >>> 6) * 10_000);
    setBoth(market, side, price, sharesFromMicro((below(5 * 64) >>> 6) * 1_000_000));
    applyLevelChange(bookOf(COUNTED), 'buy', COUNT_PRICE, sharesFromMicro(count));
    yield [`${market}:yes`, `${market}:no`, COUNTED];
  }
}
