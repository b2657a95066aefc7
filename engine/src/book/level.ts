import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

export type Side = 'buy' | 'sell';

/** All shares on offer at one price. `size` is positive in a book; zero in a change removes the level. */
export type Level = { price: Price; size: Shares };

/** A change of one level as a stream states it: the new absolute size at that price on the side it rests. */
export type LevelChange = { tokenId: string; side: Side; price: Price; size: Shares };
