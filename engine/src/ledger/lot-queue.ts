import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';

/**
 * Shares that came at once, in millionths like what they cost, and the entry that they came by. `at`: when they were acquired; null
 * where that is not known.
 */
export type Lot = { at: Instant | null; entryId: number; shares: number; cost: number };

/** Part of a lot; without an entry of shares that no lot was left of, which had cost nothing that is known. */
export type TakenLot = Omit<Lot, 'entryId'> & { entryId: number | null };

/** The lots of each token in the order in which they came; nothing is kept of those that are gone. */
export type LotQueue = {
  put: (tokenId: TokenId, lot: Lot) => void;
  /** The oldest first. The parts of a lot's cost add up to it exactly. */
  take: (tokenId: TokenId, shares: number) => TakenLot[];
  sharesOf: (tokenId: TokenId) => number;
  /** Cost of all remaining lots. */
  cost: () => number;
};

/** The lots before `first` are gone, and forgotten once they are many. */
type OfToken = { lots: Lot[]; first: number };

const FORGET_AT = 1000;

export function openLotQueue(): LotQueue {
  const tokens = new Map<string, OfToken>();

  const forgetEmpty = (tokenId: TokenId): void => {
    const of = tokens.get(tokenId);
    if (of === undefined) return;
    while (of.first < of.lots.length && of.lots[of.first]?.shares === 0) of.first += 1;
    if (of.first === of.lots.length) tokens.delete(tokenId);
    else if (of.first >= FORGET_AT && of.first * 2 > of.lots.length) of.lots.splice(0, of.first);
    else return;
    of.first = 0;
  };

  return {
    put: (tokenId, lot) => {
      const of = tokens.get(tokenId);
      if (of === undefined) tokens.set(tokenId, { lots: [lot], first: 0 });
      else of.lots.push(lot);
    },
    take: (tokenId, wanted) => {
      const { lots, first } = tokens.get(tokenId) ?? { lots: [], first: 0 };
      const taken: TakenLot[] = [];
      let rest = wanted;
      for (let place = first; rest > 0 && place < lots.length; place += 1) {
        const lot = lots[place] as Lot;
        const shares = Math.min(rest, lot.shares);
        const cost = mulDiv(lot.cost, shares, lot.shares, 'down');
        taken.push({ at: lot.at, entryId: lot.entryId, shares, cost });
        lot.shares -= shares;
        lot.cost -= cost;
        rest -= shares;
      }
      forgetEmpty(tokenId);
      return rest === 0 ? taken : [...taken, { at: null, entryId: null, shares: rest, cost: 0 }];
    },
    sharesOf: (tokenId) => (tokens.get(tokenId)?.lots ?? []).reduce((sum, { shares }) => sum + shares, 0),
    cost: () =>
      [...tokens.values()].reduce((sum, { lots }) => lots.reduce((ofToken, { cost }) => ofToken + cost, sum), 0),
  };
}
