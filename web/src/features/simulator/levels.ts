import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';

export type Level = { price: Price; size: Shares };

/** Levels as they are typed, a price and a size a line, or what is wrong with the first line that is none. */
export function levelsFrom(text: string): Level[] | string {
  const levels: Level[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [price = '', size = '', ...rest] = line.split(/\s+/);
    try {
      if (rest.length > 0) throw new Error('more than a price and a size');
      levels.push({ price: priceFromText(price), size: sharesFromText(size) });
    } catch {
      return `“${line.slice(0, 40)}” should be a price and a size, like 0.31 40`;
    }
  }
  return levels;
}
