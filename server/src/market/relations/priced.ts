import type { RelationDirection } from '@dutchbook/contract/relations.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** The best basket of a relation as its books stood when it was last looked at. */
export type PricedBasket = {
  direction: RelationDirection;
  /** `member`: its place among the members, from 0. `outcome`: 0 the first one, 1 the other. */
  legs: { member: number; outcome: 0 | 1; price: Price; fee: Usd }[];
  payout: Price;
  payoutWithVoids: Price;
};
