import type { Simulation } from '@dutchbook/contract/placing.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { ApiError } from '../../calls/api-error.ts';
import { orderAsShown, orderRefusal, planRefusal } from './order-readiness.ts';

const askedTooOften = new ApiError({
  url: '/simulate',
  status: 429,
  statusText: 'Too Many Requests',
  body: { detail: 'You have asked the venue too often. Try again in 7 s.' },
  retryAfter: '7',
});
const simulation = (errors: string[] = [], content_hash: string | null = null) =>
  ({ order_size: sharesFromNumber(9), content_hash, errors }) as unknown as Simulation;
const planned = (sizeText = '', errors: string[] = []) => ({
  plan: { sizeText, simulation: simulation(errors) },
  error: null,
  isExpired: false,
  isAwaited: false,
});

it('places the size, the price and the way in that were shown, also where no size was typed', () => {
  const quotedPrice = setPriceFromNumber(0.75);
  expect(orderAsShown({ simulation: simulation(), quotedPrice, wayIn: 'buy' })).toEqual({
    order_size: sharesFromNumber(9),
    quoted_price: quotedPrice,
  });
  expect(orderAsShown({ simulation: simulation(), quotedPrice: null, wayIn: 'split' })).toEqual({
    order_size: sharesFromNumber(9),
    way_in: 'split',
  });
});

it('places the positions that were shown, where discovery may put others in their place', () => {
  expect(orderAsShown({ simulation: simulation([], 'abc'), quotedPrice: null, wayIn: 'buy' })).toEqual({
    order_size: sharesFromNumber(9),
    content_hash: 'abc',
  });
});

it('may be placed when a plan of now shows what is typed, without errors', () => {
  expect(orderRefusal('', planned())).toBeUndefined();
  expect(orderRefusal('12', planned('12'))).toBeUndefined();
});

it('may be placed while the next plan is fetched, and when that has failed, as long as this one is not too old', () => {
  expect(orderRefusal('', { ...planned(), error: new Error('lost') })).toBeUndefined();
});

it.each([
  ['there is no plan yet', '', { ...planned(), plan: undefined }, /^Simulating/],
  ['the user waits for another', '', { ...planned(), isAwaited: true }, /^Simulating/],
  ['another size is typed', '12', planned(), /The size has changed/],
  ['it is too old', '', { ...planned(), isExpired: true }, /too old/],
  ['it is too old and the next one failed', '', { ...planned(), isExpired: true, error: new Error('lost') }, /failed/],
  [
    'it is too old and the server wants fewer questions',
    '',
    { ...planned(), isExpired: true, error: askedTooOften },
    /^You have asked the venue too often\. Try again in 7 s\. The simulation is then refreshed by itself\.$/,
  ],
  ['the first one failed', '', { ...planned(), plan: undefined, error: new Error('lost') }, /failed/],
])('is no plan of now when %s', (_when, sizeText, state, why) => {
  expect(planRefusal(sizeText, state)).toMatch(why);
  expect(orderRefusal(sizeText, state)).toMatch(why);
});

it('may not be placed while there are errors, though it is a plan of now', () => {
  expect(planRefusal('', planned('', ['Too dear.']))).toBeUndefined();
  expect(orderRefusal('', planned('', ['Too dear.']))).toMatch(/errors/);
});
