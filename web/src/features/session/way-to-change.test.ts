import { LIMITS } from '@dutchbook/contract/limits.ts';
import { NOT_ASKED, obstacleOf } from '@dutchbook/engine/relation/why-not-taken.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { anchorWords, waysToChange, wayToChange } from './way-to-change.ts';

const setting = (anchor: string) => ({ kind: 'setting', anchor });
const KINDS_OFF = { pair: true, at_most_one: false, exactly_one: true, ladder: true, buckets: true };
const least = { profit: usdFromNumber(1), leastProfit: usdFromNumber(2) };
const obstacle = (basis: 'declared' | 'parsed', isOn = true) =>
  obstacleOf({ kind: 'at_most_one', basis, state: 'proposed' }, least, { ...KINDS_OFF, at_most_one: isOn }) ?? '';

it.each([
  [NOT_ASKED, setting('AUTO_PLACE_ORDER_ENABLED')],
  [
    'It could lose too much (up to $31.00 for 5.00 shares, the least by MIN_ORDER_SHARES; LOSS_ALLOWANCE_USD is $25.00: set it to $31.00 or more)',
    setting('LOSS_ALLOWANCE_USD'),
  ],
  ['The batch takes up to $31.00, the limit is $25.00.', setting('per_batch_usd')],
  ['Kalshi: the order of leg 2 takes up to $31.00, the limit is $25.00.', setting('per_order_usd-kalshi')],
  ['With this batch today is $31.00, the limit of the whole desk is $25.00.', setting('per_day_usd-desk')],
  ['Polymarket: with this batch open exposure is $3, the limit is $2.', setting('open_exposure_usd-polymarket')],
  ['No limit per day is set.', setting('per_day_usd')],
  [
    'Found opportunities are not placed automatically, which a superuser can switch on.',
    setting('discovery-auto_place_found'),
  ],
  [obstacle('declared', false), setting('discovery-at_most_one')],
  [obstacle('declared'), setting('discovery-min_profit_usd')],
  [obstacle('parsed'), { kind: 'proposed' }],
  ['Kalshi: shard 2 has $0.00 of $31.00: move cash into it.', { kind: 'cash', shard: '2' }],
  ['Leg 3 costs 0.9300, outside 0.1000 to 0.9000.', setting('PRICE_LOW_THRESHOLD')],
  ['Leg 3 costs 0.9995, outside 0.0010 to 0.9990.', setting('discovery-price_low')],
  ['Leg 1: "Rain?" ends in 94 s, a batch needs 120 s, and 2 more.', setting('MARKET_TIMING_VALIDATION_ENABLED')],
  ['The price moved 6.00% up, at most 5.00% is allowed.', setting('PRICE_DEVIATION_THRESHOLD')],
  ['Net 0.42%, needs 0.80%.', setting('MIN_PROFIT_TRIGGER_THRESHOLD')],
  ['Leg 2 is worth $1.20, needs $2.00.', setting('MIN_ORDER_VALUE_USD')],
  ['Leg 2: book is 48 s old.', null],
])('says where it is changed: %s', (message, way) => {
  expect(wayToChange(message)).toEqual(way);
});

it('leads of two refusals to the setting of each, and of one that is said twice once', () => {
  const two =
    'The order takes more than CLIP_USD allows (CLIP_USD is $9.49: set it to $9.50 or more). The order could lose more than LOSS_ALLOWANCE_USD allows (LOSS_ALLOWANCE_USD is $4.99: set it to $26.22 or more).';
  expect(waysToChange(two)).toEqual([setting('CLIP_USD'), setting('LOSS_ALLOWANCE_USD')]);
  expect(waysToChange(`${two} ${two}`)).toHaveLength(2);
  expect(waysToChange('Leg 2: book is 48 s old.')).toEqual([]);
});

it.each([
  ['CLIPS_MAX', 'Most clips in a row'],
  ['per_batch_usd', LIMITS.per_batch_usd],
  ['per_day_usd-desk', `${LIMITS.per_day_usd} of the whole desk`],
  ['open_exposure_usd-kalshi', `${LIMITS.open_exposure_usd} at Kalshi`],
  ['discovery-auto_place_found', 'Place found opportunities automatically'],
  ['discovery-at_most_one', 'Discovery'],
])('a link to %s is called %s', (anchor, words) => {
  expect(anchorWords(anchor)).toBe(words);
});
