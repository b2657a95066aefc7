/** What discovery does with what it finds. Beside the trading settings, and none of those. */
import * as z from 'zod/mini';
import { endpoint, optional } from './endpoint.ts';
import { described } from './notes/described.ts';
import { lastChange, price, usd } from './quantities.ts';

const MIN_PROFIT_MAX_USD = 1_000_000;

const minProfit = z
  .number('Least profit must be a number')
  .check(
    z.minimum(0, 'Least profit must be at least 0'),
    z.maximum(MIN_PROFIT_MAX_USD, `Least profit must be at most ${MIN_PROFIT_MAX_USD}`),
  );

const PRICES = { least: 0.001, middle: 0.5, most: 0.999 };

function boundOf(name: string, from: number, to: number) {
  const range = `must be between ${from} and ${to} dollars`;
  const bound = z.number(`${name} must be a number`);
  return z.nullable(z.pipe(bound.check(z.minimum(from, `${name} ${range}`), z.maximum(to, `${name} ${range}`)), price));
}

const whetherKind = (which: string) =>
  `Whether relations ${which}, where the contract enforces or the venue declares them, become opportunities without approval.`;

export const discoverySettingsForm = z.strictObject({
  enabled: described("Whether the venue's events are read and watched at all.", z.boolean()),
  pair: described(whetherKind('of the two outcomes of one market'), z.boolean()),
  at_most_one: described(whetherKind('of which at most one member comes true'), z.boolean()),
  exactly_one: described(whetherKind('of which exactly one member comes true'), z.boolean()),
  ladder: described(whetherKind('between thresholds of one figure'), z.boolean()),
  buckets: described(whetherKind('between ranges that follow one another'), z.boolean()),
  min_profit_usd: described(
    'Dollars that a hit must make at its best size to become an opportunity.',
    z.pipe(minProfit, usd),
  ),
  price_low: described(
    'Between which prices a position of a found opportunity is bought whose relation the contract or the venue itself declares, in place of PRICE_LOW_THRESHOLD and PRICE_HIGH_THRESHOLD, where PRICE_THRESHOLD_VALIDATION_ENABLED is on; null leaves it to those.',
    boundOf('Lowest price', PRICES.least, PRICES.middle),
  ),
  price_high: described(
    'The highest price, as `price_low` is the lowest.',
    boundOf('Highest price', PRICES.middle, PRICES.most),
  ),
  auto_place_found: described(
    'Whether found opportunities are placed automatically, where AUTO_PLACE_ORDER_ENABLED is on and no gate refuses.',
    z.boolean(),
  ),
});
export type DiscoverySettingsForm = z.output<typeof discoverySettingsForm>;

const discoverySettings = z.object({
  ...discoverySettingsForm.shape,
  ...lastChange,
});

const tag = 'System settings';

export const readDiscoverySettings = endpoint({
  method: 'GET',
  path: '/system-settings/discovery',
  access: 'superuser',
  tag,
  summary: 'What discovery does with what it finds',
  reply: discoverySettings,
});

export const writeDiscoverySettings = endpoint({
  method: 'PUT',
  path: '/system-settings/discovery',
  access: 'superuser',
  tag,
  summary: 'Change what discovery does; what is left out stays',
  body: z.strictObject(optional(discoverySettingsForm.shape)),
  reply: discoverySettings,
});
