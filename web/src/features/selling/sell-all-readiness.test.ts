import type { SellSimulation } from '@dutchbook/contract/selling.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { pricesAsShown, sellAllRefusal } from './sell-all-readiness.ts';
import { sellPrices } from './sell-prices.ts';

const price = priceFromNumber;
const simulation = (errors: string[] = [], settling: object[] = []) =>
  ({
    orders: [
      { token_id: 'a', sell_price: price(0.41) },
      { token_id: 'b', sell_price: price(0.2) },
    ],
    errors,
    settling,
  }) as unknown as SellSimulation;
const shown = (typed: Record<string, string> = {}, errors: string[] = []) => ({
  asked: sellPrices(typed),
  simulation: simulation(errors),
});

it('may be executed when it shows what is typed, and has no errors', () => {
  expect(sellAllRefusal({}, shown())).toBeUndefined();
  expect(sellAllRefusal({ a: '0.40', b: '' }, shown({ a: '0.4' }))).toBeUndefined();
});

it('may not be executed otherwise, and says why', () => {
  expect(sellAllRefusal({}, undefined)).toMatch(/^Simulating/);
  expect(sellAllRefusal({ a: '0.41' }, shown({ a: '0.4' }))).toMatch(/Refresh the simulation/);
  expect(sellAllRefusal({ a: '' }, shown({ a: '0.4' }))).toMatch(/Refresh the simulation/);
  expect(sellAllRefusal({ a: '-1' }, shown())).toMatch(/Correct or clear/);
  expect(sellAllRefusal({}, shown({}, ['Nothing can be sold now']))).toMatch(/errors/);
  const settling = simulation(['Leg 1: still being settled'], [{ order_id: 'own', shares: 12 }]);
  expect(sellAllRefusal({}, { asked: {}, simulation: settling })).toMatch(/still being settled/);
  expect(sellAllRefusal({}, { asked: {}, error: new Error('lost') })).toMatch(/failed/);
});

it('is executed at the prices that it shows, so that nothing is sold below them', () => {
  const { asked } = shown({ a: '0.4050', gone: '0.9' });
  expect(pricesAsShown({ asked, simulation: simulation() })).toEqual({
    a: price(0.41),
    b: price(0.2),
    gone: price(0.9),
  });
});
