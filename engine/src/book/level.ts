import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

export type Side = 'buy' | 'sell';

/** All shares on offer at one price. `size` is positive in a book; zero in a change removes the level. */
export type Level = { price: Price; size: Shares };

/** A level as it is from now on; a size of zero: nothing rests there any more. */
export type LevelChange = Level & { side: Side };
