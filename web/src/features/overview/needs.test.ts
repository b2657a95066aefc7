import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { feedStates } from '../status/system-status.ts';
import { countOf, emptyPockets, NOTHING_WAITS, needsOf } from './needs.ts';

const QUIET: SystemStatus = {
  ...{ venue: 'polymarket_live', armed: true, armed_changed: null, arming_refusal: null, feed: 'live' },
  ...{ unknown_orders: 0, automatic: 'all', sale_loss_warning: PERCENT_ZERO },
  trigger: { profit_percentage: PERCENT_ZERO, judged_by: 'depth', depth_usd: USD_ZERO },
};

it('says which shards cannot pay for an order while another has the money', () => {
  const at = (pockets: readonly [string, number][]) =>
    emptyPockets({
      venues: [
        {
          ...{ venue: 'kalshi', armed: true, armed_changed: null, arming_refusal: null, feed: 'live' },
          cash: {
            free_usd: USD_ZERO,
            pockets: pockets.map(([name, usd]) => ({ name, free_usd: usdFromNumber(usd) })),
          },
        },
      ],
    });
  expect(
    at([
      ['0', 500],
      ['1', 1.86],
      ['2', 25],
    ]),
  ).toEqual([{ venue: 'kalshi', name: '1', free: usdFromNumber(1.86), elsewhere: usdFromNumber(500) }]);
  expect(
    at([
      ['0', 0.5],
      ['1', 0],
    ]),
  ).toEqual([]);
  expect(emptyPockets({})).toEqual([]);
});

const kindsOf = (changed: Partial<SystemStatus>, waiting = NOTHING_WAITS, hasChannel = true) => {
  const status = { ...QUIET, ...changed };
  return needsOf({ status, waiting, hasChannel, feeds: feedStates('live', status) });
};

it('needs nothing while the desk is whole, armed and fed', () => {
  expect(kindsOf({})).toEqual([]);
});

it('counts each sign-off and each fee by itself, and orders, batches and notifications once each', () => {
  const waiting = { unhedged_batches: 3, failed_notifications: 40, fee_stops: 2, redeemable: true };
  const needs = kindsOf({ armed: false, open_sign_offs: 2, unknown_orders: 5, feed: 'down' }, waiting, false);
  expect(needs.map(({ kind, count }) => `${kind} ${count}`)).toEqual([
    ...['disarmed 1', 'sign_offs 2', 'unknown 1', 'unhedged 1', 'redeem 1'],
    ...['fee_stops 2', 'failed 1', 'channel 1', 'feeds 1'],
  ]);
  expect(countOf(needs)).toBe(11);
});

it('asks for no arming where nothing can be placed, and for no channel where everything is play', () => {
  expect(kindsOf({ venue: 'polymarket_read_only', armed: false })).toEqual([]);
  expect(kindsOf({ venue: 'simulated' }, NOTHING_WAITS, false)).toEqual([]);
});

it('asks for automatic placing where trading is armed and all is bought by hand', () => {
  const kinds = (changed: Partial<SystemStatus>) => kindsOf(changed).map(({ kind }) => kind);
  expect(kinds({ automatic: 'off' })).toEqual(['by_hand']);
  expect(kinds({ automatic: 'off', armed: false })).toEqual(['disarmed']);
  expect(kinds({ automatic: 'off', venue: 'polymarket_read_only' })).toEqual([]);
});

it('counts a full disk and a log that is not written', () => {
  const needs = kindsOf({ disk_full: true, log_failure: { reason: 'no space', dropped: 1 } });
  expect(needs.map(({ kind }) => kind)).toEqual(['disk', 'log']);
});

it('lists approvals that are not as they should be as one', () => {
  const needs = needsOf({ status: QUIET, waiting: NOTHING_WAITS, hasChannel: true, feeds: [], approvals: 6 });
  expect(needs).toEqual([{ kind: 'approvals', count: 1 }]);
});
