import type { ExitRoute } from '@dutchbook/contract/portfolio.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { type ExitStep, laterWords, stepWords, waysOf } from './exit-words.ts';
import type { HoldingRow } from './holding-groups.ts';

const step = (kind: ExitStep['kind'], given: Partial<ExitStep> = {}): ExitStep => ({
  kind,
  market_ids: ['m1'],
  shares: sharesFromNumber(10),
  limit_price: null,
  usd: usdFromNumber(4),
  usable: 'after_settlement',
  risk: 'price',
  why: '',
  ...given,
});

const route = (net: number, steps: ExitStep[], least = 0, most = least): ExitRoute => ({
  steps,
  net_usd: usdFromNumber(net),
  held_least_usd: usdFromNumber(least),
  held_most_usd: usdFromNumber(most),
});

const sell = route(4, [step('sell')]);
const hold = route(0, [step('hold')], 3, 10);

it.each([
  ['selling', sell, 'Sell'],
  ['holding', hold, 'Hold'],
  ['a mix', route(2, [step('sell'), step('hold')], 2), 'Best Mix'],
])('marks %s as best', (_, best, name) => {
  const ways = waysOf({ sell, cash_now: hold, hold, best });
  expect(ways.filter(({ isBest }) => isBest).map((way) => way.name)).toEqual([name]);
  expect(ways.map((way) => way.name)).toEqual(['Sell', 'Cash Now', 'Hold', 'Best Mix']);
  expect(ways[3]?.refusal).toBe(name === 'Best Mix' ? undefined : `No mix brings more than “${name}” alone.`);
});

it('says which ways lead nowhere now', () => {
  const refused = (ways: ReturnType<typeof waysOf>) =>
    ways.filter(({ refusal }) => refusal !== undefined).map(({ name }) => name);
  expect(refused(waysOf({ sell: hold, cash_now: hold, hold, best: hold }))).toEqual(['Sell', 'Cash Now', 'Best Mix']);
  const merged = route(4, [step('merge'), step('hold')]);
  expect(refused(waysOf({ sell, cash_now: merged, hold, best: merged }))).toEqual(['Best Mix']);
});

it('says what is left over pays', () => {
  expect(laterWords(sell)).toBe('Nothing is left');
  expect(laterWords(hold)).toBe('$3.00 to $10.00');
  expect(laterWords(route(0, [step('hold')], 10))).toBe('$10.00');
});

it('says a step in full, with the outcome where only one is held', () => {
  const row = {
    market_id: 'm1',
    market_name: 'Will it rain?',
    outcome: 'Yes',
    shares: sharesFromNumber(10),
  } as HoldingRow;
  const sale = step('sell', { limit_price: priceFromNumber(0.4) });
  expect(stepWords(sale, [row])).toBe('Sell 10.00 sh of Yes, Will it rain? at 0.4000 or better: $4.00');
  expect(stepWords(sale, [row, { ...row, outcome: 'No' }])).toMatch(/^Sell 10\.00 sh of Will it rain\? at/);
  expect(stepWords(step('merge'), [row])).toBe('Merge pairs of 10.00 sh of Yes, Will it rain?: $4.00');
  expect(stepWords(step('hold', { market_ids: ['m1', 'm2'] }), [row])).toBe(
    'Hold 10.00 sh in 2 markets: pays at least $4.00',
  );
});
