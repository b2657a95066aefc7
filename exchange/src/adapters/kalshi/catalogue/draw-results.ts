import { seededRandom } from '../../../makers/random.ts';
import type { EventOfVenue } from './listing.ts';

/** Whether each market of an event comes true; drawn by its name, so that a venue that was started again draws the same. */
export function drawResults({ ticker, kind, markets }: EventOfVenue, seed: number): boolean[] {
  const drawn = seededRandom([...ticker].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, seed));
  const percents = markets.map(({ listed }) => listed.percent);
  if (kind === 'ladder' || kind === 'single') {
    const at = drawn.unit() * 100;
    return percents.map((percent) => at < percent);
  }
  // The percents of a menu leave room for none.
  const total = percents.reduce((sum, percent) => sum + percent, 0);
  let at = drawn.unit() * (kind === 'menu' ? 100 : total);
  const winner = percents.findIndex((percent) => {
    at -= percent;
    return at < 0;
  });
  return markets.map((_, place) => place === winner);
}
