/** The books of all made-up markets: levels of a tick each around a middle, whose sizes change, and with them what is best. */
import { middleOf, sizeOf, tokenOf } from './made-catalogue.ts';

const LEVELS = 12;
const SIZE_MAX = 4000;
const CENTS_FROM = 40;

type Side = 'bids' | 'asks';

export class MovingBooks {
  /** Of the first outcome of each market, in thousandths of a dollar. */
  readonly #middles: Uint16Array;
  /** Bids, then asks, the best first. */
  readonly #sizes: Uint16Array;

  constructor(events: number, markets: number) {
    this.#middles = new Uint16Array(markets);
    this.#sizes = new Uint16Array(markets * LEVELS * 2);
    let market = 0;
    for (let event = 0; event < events; event += 1)
      for (let place = 0; place < sizeOf(event); place += 1) this.#middles[market++] = middleOf(event, place);
    for (let at = 0; at < this.#sizes.length; at += 1) this.#sizes[at] = 5 + ((at * 7919) % SIZE_MAX);
  }

  /** As the venue writes it; the book of the second outcome is that of the first in a mirror. */
  bookOnWire(market: number, side: 0 | 1, timestampMs: number): string {
    const [bids, asks] = side === 0 ? (['bids', 'asks'] as const) : (['asks', 'bids'] as const);
    const about = `"event_type":"book","market":"m${market}","asset_id":"${tokenOf(market, side)}","timestamp":"${timestampMs}"`;
    return `{${about},"bids":[${this.#levels(market, bids, side)}],"asks":[${this.#levels(market, asks, side)}],"tick_size":"0.001"}`;
  }

  /** Changes one level and says so as the venue does, for both outcomes. `nearness`: the larger, the more often one near the best. */
  changeOnWire(market: number, random: () => number, nearness: number, timestampMs: number): string {
    const side: Side = random() < 0.5 ? 'bids' : 'asks';
    const level = Math.floor(random() ** nearness * LEVELS);
    const at = this.#placeOf(market, side, level);
    const isGone = this.#sizes[at] !== 0 && random() < 0.3;
    this.#sizes[at] = isGone ? 0 : 5 + Math.floor(random() * SIZE_MAX);
    const price = this.#priceOf(market, side, level);
    if (price === null) return '';
    const size = String(this.#sizes[at]);
    const [bid, ask] = [this.#best(market, 'bids'), this.#best(market, 'asks')];
    const changeOf = (token: 0 | 1, isBuy: boolean, mine: number, best: [number, number]) =>
      `{"asset_id":"${tokenOf(market, token)}","price":"${text(mine)}","size":"${size}","side":"${isBuy ? 'BUY' : 'SELL'}",` +
      `"hash":"0f1c6c1b1d1e5c5f4a8f0c1b7f7a1a1d2e3f4a5b","best_bid":"${text(best[0])}","best_ask":"${text(best[1])}"}`;
    const own = changeOf(0, side === 'bids', price, [bid, ask]);
    const mirrored = changeOf(1, side === 'asks', 1000 - price, [1000 - ask, 1000 - bid]);
    return `{"market":"m${market}","price_changes":[${own},${mirrored}],"timestamp":"${timestampMs}","event_type":"price_change"}`;
  }

  #placeOf(market: number, side: Side, level: number): number {
    return (market * 2 + (side === 'bids' ? 0 : 1)) * LEVELS + level;
  }

  /** Null beyond the ends of the scale. */
  #priceOf(market: number, side: Side, level: number): number | null {
    const middle = this.#middles[market] ?? 500;
    const step = middle < CENTS_FROM || middle > 1000 - CENTS_FROM ? 1 : 10;
    const price = side === 'bids' ? middle - (level + 1) * step : middle + (level + 1) * step;
    return price <= 0 || price >= 1000 ? null : price;
  }

  #best(market: number, side: Side): number {
    for (let level = 0; level < LEVELS; level += 1) {
      const price = this.#priceOf(market, side, level);
      if (price !== null && this.#sizes[this.#placeOf(market, side, level)] !== 0) return price;
    }
    return side === 'bids' ? 0 : 1000;
  }

  #levels(market: number, side: Side, of: 0 | 1): string {
    const levels: string[] = [];
    for (let level = 0; level < LEVELS; level += 1) {
      const price = this.#priceOf(market, side, level);
      const size = this.#sizes[this.#placeOf(market, side, level)];
      if (price !== null && size !== 0)
        levels.push(`{"price":"${text(of === 0 ? price : 1000 - price)}","size":"${size}"}`);
    }
    return levels.join();
  }
}

function text(thousandths: number): string {
  return (thousandths / 1000).toFixed(3);
}
