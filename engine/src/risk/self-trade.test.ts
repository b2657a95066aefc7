import { priceFromNumber } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { planSale } from '../sell/plan.ts';
import { sellable, sellRequest } from '../sell/sale.fixture.ts';
import { contextOf } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';
import type { OwnOrder } from './self-trade.ts';

const own = (token: string, side: 'buy' | 'sell', price: number): OwnOrder => ({
  batchId: 'b1',
  batchName: 'Rain in May',
  marketId: token.split('-')[0] ?? '',
  tokenId: token,
  side,
  price: priceFromNumber(price),
});

describe('an order that would trade with one of our own', () => {
  it.each([
    { standing: own('m1-yes', 'sell', 0.45), crosses: true },
    { standing: own('m1-yes', 'sell', 0.46), crosses: false },
    { standing: own('m1-yes', 'buy', 0.45), crosses: false },
    { standing: own('m1-no', 'buy', 0.55), crosses: true },
    { standing: own('m1-no', 'buy', 0.54), crosses: false },
    { standing: own('m1-no', 'sell', 0.2), crosses: false },
    { standing: own('m3-no', 'buy', 0.99), crosses: false },
  ])('is not bought: $standing.side of $standing.tokenId at $standing.price', ({ standing, crosses }) => {
    const blockers = evaluateGates(contextOf({ ownOrders: [standing] }));
    expect(blockers.map(({ gate }) => gate)).toEqual(crosses ? ['self-trade'] : []);
    if (crosses)
      expect(blockers[0]?.message).toMatch(
        /^leg 1 would trade with our own order to .* that has not ended, of the batch “Rain in May”$/,
      );
  });

  it.each([
    { standing: own('m1-yes', 'buy', 0.4), crosses: true },
    { standing: own('m1-yes', 'buy', 0.39), crosses: false },
    { standing: own('m1-yes', 'sell', 0.4), crosses: false },
    { standing: own('m1-no', 'sell', 0.6), crosses: true },
    { standing: own('m1-no', 'sell', 0.61), crosses: false },
    { standing: own('m1-no', 'buy', 0.9), crosses: false },
  ])('is not sold: $standing.side of $standing.tokenId at $standing.price', ({ standing, crosses }) => {
    const { errors } = planSale({ ...sellRequest([sellable(1, [[0.4, 20]])]), ownOrders: [standing] });
    const why = expect.stringMatching(
      /: it would trade with our own order to .*, of the batch “Rain in May”: cancel that batch first$/,
    );
    expect(errors).toEqual(crosses ? [why] : []);
  });
});
