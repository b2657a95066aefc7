import type { HeldEvent, Holding } from '@dutchbook/contract/portfolio.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import {
  groupsOf,
  type HoldingRow,
  isExternal,
  isMissing,
  redeemedUsd,
  standingOf,
  standingOfGroup,
  sumsOf,
  unrealisedOf,
} from './holding-groups.ts';

const holding = (id: string, given: Partial<Holding> = {}): HoldingRow => ({
  id,
  token_id: id,
  market_id: `market of ${id}`,
  market_name: `Market of ${id}`,
  outcome: 'Yes',
  event_id: 'cup',
  shares: sharesFromNumber(10),
  settling_shares: sharesFromNumber(0),
  in_sale_shares: sharesFromNumber(0),
  set_shares: sharesFromNumber(0),
  buying_shares: sharesFromNumber(0),
  buying_batch_ids: [],
  venue_shares: sharesFromNumber(10),
  external_shares: sharesFromNumber(0),
  cost_usd: usdFromNumber(4),
  average_cost: priceFromNumber(0.4),
  best_bid: priceFromNumber(0.5),
  value_usd: usdFromNumber(5),
  sale_fee_usd: usdFromNumber(0),
  unrealised_usd: usdFromNumber(1),
  locked_until: null,
  resolution: null,
  resolved_value: null,
  announced_value: null,
  batch_ids: [],
  batch_names: [],
  ...given,
});

const NO_SETS = { locked_usd: usdFromNumber(0), loose_usd: usdFromNumber(0) };
const UNKNOWN = { pays_least_usd: null, pays_most_usd: null, ...NO_SETS, routes: null };

const heldEvent = (event_id: string, given: Partial<HeldEvent> = {}): HeldEvent => ({
  ...{ event_id, title: `Who wins the ${event_id}?`, locked_until: null, resolution: null },
  ...UNKNOWN,
  ...given,
});

it('puts what is open by event, and what has resolved by whether it pays', () => {
  const rows = [
    holding('a'),
    holding('won', { resolved_value: priceFromNumber(1) }),
    holding('half', { resolved_value: priceFromNumber(0.5) }),
    holding('lost', { resolved_value: priceFromNumber(0) }),
    holding('b', { event_id: 'gone' }),
    holding('c'),
  ];
  const cup = heldEvent('cup');
  const { groups, redeemable, lost } = groupsOf(rows, [cup]);
  expect(groups.map(({ event, rows: held }) => [event.title, held.map(({ id }) => id)])).toEqual([
    ['Who wins the cup?', ['a', 'c']],
    ['Market of b', ['b']],
  ]);
  expect(redeemable.map(({ id }) => id)).toEqual(['won', 'half']);
  expect(lost.map(({ id }) => id)).toEqual(['lost']);
});

it.each([
  ['all of it', 10, 0, false],
  ['less', 9.99, 0, true],
  ['less than can be ordered too little', 9.995, 0, false],
  ['what has settled', 7, 3, false],
  ['less than has settled', 6, 3, true],
  ['nothing that is known', null, 0, false],
] as const)('where the venue has %s, tells whether ours is missing', (_, venue, settling, missing) => {
  const venue_shares = venue === null ? null : sharesFromNumber(venue);
  expect(isMissing(holding('a', { venue_shares, settling_shares: sharesFromNumber(settling) }))).toBe(missing);
});

it('misses no shares that pay nothing', () => {
  const venue_shares = sharesFromNumber(0);
  expect(isMissing(holding('a', { venue_shares, resolved_value: priceFromNumber(0) }))).toBe(false);
  expect(isMissing(holding('a', { venue_shares, resolved_value: priceFromNumber(1) }))).toBe(true);
});

it('counts as external what could be ordered', () => {
  expect(isExternal(holding('a', { external_shares: sharesFromNumber(0.009999) }))).toBe(false);
  expect(isExternal(holding('a', { external_shares: sharesFromNumber(0.01) }))).toBe(true);
});

it('redeems all that lies at the venue, ours or not', () => {
  const half = priceFromNumber(0.5);
  expect(redeemedUsd(holding('a', { resolved_value: half, venue_shares: sharesFromNumber(12.5) }))).toBe(6_250_000);
  expect(redeemedUsd(holding('a', { resolved_value: half, venue_shares: null }))).toBe(5_000_000);
  expect(redeemedUsd(holding('a'))).toBe(0);
});

it('adds up what is ours, and counts what has no price', () => {
  const unknown = { best_bid: null, value_usd: null, sale_fee_usd: null, unrealised_usd: null };
  const notOurs = { shares: sharesFromNumber(0), cost_usd: usdFromNumber(0), ...unknown };
  const a = holding('a', { sale_fee_usd: usdFromNumber(0.05) });
  expect(sumsOf([a, holding('b', unknown), holding('c', notOurs)])).toEqual({
    value: 5_000_000,
    cost: 8_000_000,
    saleFees: 50_000,
    unrealised: 1_000_000,
    unvalued: 1,
    unpriced: 4_000_000,
  });
  expect(sumsOf([a, holding('b', { sale_fee_usd: null })])).toMatchObject({ saleFees: null });
  expect(sumsOf([holding('b', unknown)])).toMatchObject({ value: null, unrealised: null, cost: 4_000_000 });
  expect(sumsOf([holding('c', notOurs)])).toMatchObject({ value: 0, unrealised: 0, cost: 0 });
});

const BELOW = { value_usd: usdFromNumber(3.5), unrealised_usd: usdFromNumber(-0.5) };

it.each([
  ['is still being bought', { buying_shares: sharesFromNumber(10) }, { kind: 'buying' }],
  ['is in whole sets over several events', { set_shares: sharesFromNumber(10) }, { kind: 'in_sets' }],
  ['no set needs', {}, { kind: 'at_bid', usd: usdFromNumber(3.5), gain: usdFromNumber(-0.5) }],
  [
    'no set needs of a half',
    { set_shares: sharesFromNumber(5) },
    { kind: 'at_bid', usd: usdFromNumber(3.5), gain: usdFromNumber(-0.25) },
  ],
] as const)('calls nothing a loss but what it is: shares that %s', (_, given, standing) => {
  expect(standingOf([holding('a', { ...BELOW, ...given })])).toEqual(standing);
});

it('counts whole sets with what they pay and other shares at the bid, without what has resolved or has no price', () => {
  const won = { resolved_value: priceFromNumber(1), value_usd: usdFromNumber(10), cost_usd: usdFromNumber(4) };
  const rows = [holding('a', { ...BELOW, set_shares: sharesFromNumber(10) }), holding('b', BELOW), holding('won', won)];
  const worth = { locked_usd: usdFromNumber(14.6), loose_usd: usdFromNumber(3.5) };
  expect(unrealisedOf(worth, rows)).toEqual({ gain: usdFromNumber(0.1), cost: usdFromNumber(8) });
  const unknown = holding('c', { best_bid: null, value_usd: null, unrealised_usd: null });
  expect(unrealisedOf(worth, [...rows, unknown])).toEqual({ gain: usdFromNumber(0.1), cost: usdFromNumber(8) });
  expect(unrealisedOf({ locked_usd: usdFromNumber(0), loose_usd: usdFromNumber(0) }, [unknown])).toBeNull();
});

it('counts the legs that have lost with the cost of what the other legs of their sets pay', () => {
  const inSet = { ...BELOW, set_shares: sharesFromNumber(10), batch_ids: ['a batch'] };
  const lost = {
    ...inSet,
    resolved_value: priceFromNumber(0),
    value_usd: usdFromNumber(0),
    cost_usd: usdFromNumber(1.5),
  };
  const rows = [holding('a', inSet), holding('b', lost), holding('of no set', { ...lost, batch_ids: ['another'] })];
  const pays = usdFromNumber(6);
  const [group] = groupsOf(rows, [heldEvent('cup', { locked_usd: pays })]).groups;
  if (group === undefined) throw new Error('nothing is held');
  expect(group.lostCost).toBe(usdFromNumber(1.5));
  expect(standingOfGroup(group)).toEqual({ kind: 'pays', usd: pays, gain: usdFromNumber(0.5) });
  expect(unrealisedOf({ locked_usd: pays, loose_usd: usdFromNumber(0) }, rows)).toEqual({
    gain: usdFromNumber(0.5),
    cost: usdFromNumber(5.5),
  });
});

it('says of each event its part of what is won or lost: whole sets at what they pay, shares beside them at the bid', () => {
  const whole = { ...BELOW, set_shares: sharesFromNumber(10) };
  const rows = [
    holding('a', whole),
    holding('b', { ...BELOW, set_shares: sharesFromNumber(5) }),
    holding('of rain', { ...whole, event_id: 'rain' }),
  ];
  const parts = [
    { locked_usd: usdFromNumber(7.2), loose_usd: usdFromNumber(1.75) },
    { locked_usd: usdFromNumber(4.5), loose_usd: usdFromNumber(0) },
  ] as const;
  const { groups } = groupsOf(rows, [heldEvent('cup', parts[0]), heldEvent('rain', parts[1])]);
  expect(groups.map(standingOfGroup)).toEqual([
    { kind: 'worth', usd: usdFromNumber(8.95), gain: usdFromNumber(0.95) },
    { kind: 'pays', usd: usdFromNumber(4.5), gain: usdFromNumber(0.5) },
  ]);
  const all = { locked_usd: usdFromNumber(11.7), loose_usd: usdFromNumber(1.75) };
  expect(unrealisedOf(all, rows)?.gain).toBe(usdFromNumber(1.45));
});
