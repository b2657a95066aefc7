/** The levels that simulated orders have taken. The venue still shows them, because no order left. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { addShares, minShares, SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import type { Book } from '../book/book.ts';
import type { Level, Side } from '../book/level.ts';
import type { Market } from '../market/market.ts';

/** `side`: of the orders that rest there. `shown`: what the venue showed of the level when it was taken. */
export type TakenLevel = { tokenId: TokenId; side: Side; price: Price; shown: Shares; taken: Shares };

/** The book as practice has left it: what it took of a level is gone until the level shows something else. */
export function withoutTaken(tokenId: TokenId, book: Book, taken: readonly TakenLevel[]): Book {
  const ofToken = taken.filter((each) => each.tokenId === tokenId);
  if (ofToken.length === 0) return book;
  const left = (levels: readonly Level[], side: Side) =>
    levels.flatMap((level): Level[] => {
      const gone = minShares(level.size, takenOf(ofToken, { tokenId, side, ...level }));
      const size = subtractShares(level.size, gone);
      return size === 0 ? [] : [{ ...level, size }];
    });
  return { bids: left(book.bids, 'buy'), asks: left(book.asks, 'sell') };
}

/**
 * What is gone of the levels of `book` once `levels` of it have been taken too. The two outcomes of a market are one book: a share of
 * one that is offered is a bid for the other at the rest of its dollar.
 */
export function takenWith(
  before: readonly TakenLevel[],
  { tokenId, side, market }: { tokenId: TokenId; side: Side; market: Pick<Market, 'outcomes'> | undefined },
  book: Book,
  levels: readonly Level[],
): TakenLevel[] {
  const other = market?.outcomes.find((outcome) => outcome.tokenId !== tokenId)?.tokenId;
  return levels.flatMap(({ price, size }) => {
    const shown = (side === 'buy' ? book.bids : book.asks).find((level) => level.price === price)?.size;
    if (shown === undefined) return [];
    const taken = addShares(takenOf(before, { tokenId, side, price, size: shown }), size);
    const level: TakenLevel = { tokenId, side, price, shown, taken };
    if (other === undefined) return [level];
    return [level, { ...level, tokenId: other, side: side === 'buy' ? 'sell' : 'buy', price: complement(price) }];
  });
}

type Shown = Level & { tokenId: TokenId; side: Side };

function takenOf(taken: readonly TakenLevel[], { tokenId, side, price, size }: Shown): Shares {
  const gone = taken.find((each) => {
    return each.tokenId === tokenId && each.side === side && each.price === price && each.shown === size;
  });
  return gone?.taken ?? SHARES_ZERO;
}
