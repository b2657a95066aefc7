import { applyLevelChange, type KeptBook, replaceBook, sizeAtPrice } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { microFromText } from '@dutchbook/units/micro.ts';
import { complement, type Price, priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { OutcomeSide } from '../ids.ts';
import type { WireLevels } from '../wire.ts';

/** The bids for an outcome, of which each is an ask for the other one at what a dollar leaves. */
export type MarketBids = Record<OutcomeSide, Level[]>;

/** Bids of both outcomes in their own prices. @throws UnitError for what is no price or no size */
export function readBids(yes: WireLevels | null | undefined, no: WireLevels | null | undefined): MarketBids {
  return { yes: levelsOf(yes), no: levelsOf(no) };
}

/** A side that is not there is empty. */
function levelsOf(wire: WireLevels | null | undefined): Level[] {
  return (wire ?? [])
    .map(([price, size]) => ({ price: priceFromText(price), size: sharesFromText(size) }))
    .filter(({ size }) => size > 0);
}

/** What the other outcome is asked for. */
export function mirrored(levels: readonly Level[]): Level[] {
  return levels.map(({ price, size }) => ({ price: complement(price), size }));
}

/** Makes both books of a market what a snapshot says. */
export function takeSnapshot(books: Record<OutcomeSide, KeptBook>, bids: MarketBids): void {
  replaceBook(books.yes, bids.yes, mirrored(bids.no));
  replaceBook(books.no, bids.no, mirrored(bids.yes));
}

/** A level by how much it grows or shrinks, as a frame says it. */
export type BidChange = { side: OutcomeSide; price: Price; delta: number };

/** @throws UnitError for what is no price or no number of shares */
export function readChange(change: { side: OutcomeSide; price_dollars: string; delta_fp: string }): BidChange {
  const { side, price_dollars, delta_fp } = change;
  return { side, price: priceFromText(price_dollars), delta: microFromText(delta_fp, 'shares') };
}

/** Applies a change to both books of a market; false where a level would shrink below nothing, so that the books are wrong. */
export function takeChange(books: Record<OutcomeSide, KeptBook>, { side, price, delta }: BidChange): boolean {
  const own = books[side];
  const other = books[side === 'yes' ? 'no' : 'yes'];
  const size = (sizeAtPrice(own, 'buy', price) + delta) as Shares;
  if (size < 0) return false;
  applyLevelChange(own, 'buy', price, size);
  applyLevelChange(other, 'sell', complement(price), size);
  return true;
}
