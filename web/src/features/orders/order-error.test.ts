import { expect, it } from 'vitest';
import { orderErrorView } from './order-error.ts';
import { orderTone } from './order-status.ts';

it.each([
  [null, { text: 'No' }],
  ['', { text: 'No' }],
  ['[PRICE_CHANGED_SUCCESS] Placed at 0.4900', { text: 'Price Changed', tone: 'warning', message: 'Placed at 0.4900' }],
  ['[SUCCESS] Size rounded down', { text: 'Warning', tone: 'warning', message: 'Size rounded down' }],
  ['not enough balance', { text: 'Yes', tone: 'error', message: 'not enough balance' }],
])('the error cell of %j', (error, view) => {
  expect(orderErrorView(error)).toEqual(view);
});

it.each([
  ['success', ['filled', 'matched']],
  ['warning', ['partial', 'partially_filled']],
  ['inactive', ['cancelled', 'canceled', 'something new']],
  ['error', ['failed', 'rejected']],
  ['pending', ['pending', 'open', 'unmatched']],
  ['active', ['processing']],
])('%s is the badge of %j', (tone, statuses) => {
  for (const status of statuses) expect(orderTone(status)).toBe(tone);
});
