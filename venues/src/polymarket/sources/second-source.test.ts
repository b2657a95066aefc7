import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Venue } from '../../venue.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME, WIRE_MARKET } from '../stand-in.fixture.ts';

let standIn: StandIn;
let venue: Venue;
let nowMs = 0;
let gamma: object;
let clob: unknown;

const AT_CLOB = {
  c: '0x1',
  t: [
    { t: '71', o: 'Yes' },
    { t: '72', o: 'No' },
  ],
  mts: 0.01,
  mos: 5,
  nr: false,
  fd: { r: 0.04, e: 1, to: true },
};

beforeEach(async () => {
  nowMs = 1_000_000;
  [gamma, clob] = [WIRE_MARKET, AT_CLOB];
  standIn = await openStandIn();
  standIn.answer('GET /gamma/events/keyset', () => ({ events: [] }));
  standIn.answer('GET /gamma/markets/keyset', ({ query }) => {
    const ids = query.get('closed') === 'false' ? query.getAll('condition_ids') : [];
    return { markets: ids.map((conditionId) => ({ ...gamma, conditionId })) };
  });
  standIn.answer('GET /clob-markets/0x1', () => clob);
  venue = await openPolymarket(standIn.config(), { ...TEST_RUNTIME, now: () => instantFromMs(nowMs) });
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

const differences = async () => (await venue.catalogue.marketsById(['0x1'])).get('0x1')?.differences;
const says = async () => (await differences())?.map((difference) => difference.says);
const asked = () => standIn.requests.filter((request) => request.includes('/clob-markets/')).length;

describe('the second source of a market', () => {
  it.each<[string, object, object, string[]]>([
    ['nothing', {}, {}, []],
    ['nothing, whatever the order of the outcomes', {}, { t: AT_CLOB.t.toReversed() }, []],
    [
      'nothing that only one says',
      { feesEnabled: true, feeSchedule: null },
      { t: null, mts: null, mos: '', nr: null },
      [],
    ],
    ['no fee', { feesEnabled: false, feeSchedule: null }, { fd: null }, []],
    ['the fee', { feeSchedule: { rate: 0.01, exponent: 1 } }, {}, ['fee rate 0.01 in Gamma, 0.04 at the CLOB']],
    ['a fee of none', { feesEnabled: false }, {}, ['fee rate 0 in Gamma, 0.04 at the CLOB']],
    [
      'the form of the fee',
      {},
      { fd: { r: 0.04, e: 2 } },
      ['fee rate 0.04 in Gamma, 0.04 with exponent 2 at the CLOB'],
    ],
    [
      'which token is Yes',
      { clobTokenIds: '["72","71"]' },
      {},
      ['tokens no 71 and yes 72 in Gamma, no 72 and yes 71 at the CLOB'],
    ],
    ['negative risk', { negRisk: true }, {}, ['negative risk true in Gamma, false at the CLOB']],
    ['the tick', { orderPriceMinTickSize: 0.001 }, {}, ['tick 0.001 in Gamma, 0.01 at the CLOB']],
    ['the least size', {}, { mos: 15 }, ['least size 5 in Gamma, 15 at the CLOB']],
  ])('may differ on %s', async (_, inGamma, atClob, expected) => {
    [gamma, clob] = [
      { ...WIRE_MARKET, ...inGamma },
      { ...AT_CLOB, ...atClob },
    ];
    expect(await says()).toEqual(expected);
  });

  it('is asked again soon while it differs, and rarely once it agrees', async () => {
    clob = { ...AT_CLOB, mos: 15 };
    expect(await says()).toHaveLength(1);
    clob = AT_CLOB;
    expect(await says()).toHaveLength(1);
    nowMs += 5_000;
    expect(await says()).toEqual([]);
    nowMs += 60_000;
    expect(await says()).toEqual([]);
    expect(asked()).toBe(2);
    gamma = { ...WIRE_MARKET, orderMinSize: 15 };
    nowMs += 5_000;
    expect(await says()).toEqual(['least size 15 in Gamma, 5 at the CLOB']);
  });

  it('that does not have the market leaves one source, and one that does not answer leaves it uncompared', async () => {
    clob = 503;
    expect(await differences()).toBeNull();
    clob = 404;
    expect(await differences()).toEqual([]);
  });

  it('may be ahead of Gamma by a change of the tick that the books have shown', async () => {
    let tick = '0.01';
    standIn.answer('POST /books', () => [{ asset_id: '71', timestamp: '1', bids: [], asks: [], tick_size: tick }]);
    await venue.prices.fetchBooks(['71']);
    expect(await says()).toEqual([]);
    tick = '0.001';
    nowMs += 1_000;
    await venue.prices.fetchBooks(['71']);
    clob = { ...AT_CLOB, mts: 0.001 };
    nowMs += 5_000;
    expect(await says()).toEqual([]);
    nowMs += 600_000;
    expect(await says()).toEqual(['tick 0.01 in Gamma, 0.001 at the CLOB']);
    gamma = { ...WIRE_MARKET, orderPriceMinTickSize: 0.001 };
    nowMs += 5_000;
    expect(await says()).toEqual([]);
    clob = AT_CLOB;
    nowMs += 600_000;
    await expect
      .poll(says)
      .toEqual(['tick 0.001 in Gamma, 0.01 at the CLOB', 'tick 0.001 in its books, 0.01 at the CLOB']);
  });

  it('is not waited for where many markets are followed, and tells of each as it is compared', async () => {
    const ids = Array.from({ length: 60 }, (_, nth) => `0x${nth + 100}`);
    for (const id of ids) standIn.answer(`GET /clob-markets/${id}`, () => ({ ...AT_CLOB, mos: 15 }));
    const reported = new Map<string, unknown>();
    venue.catalogue.onCompared((markets) => {
      for (const market of markets) reported.set(market.id, market.differences);
    });
    const first = await venue.catalogue.marketsById(ids, 'following');
    expect([...first.values()].map((market) => market.differences)).toContain(null);
    await expect.poll(() => reported.size).toBe(ids.length);
    expect([...reported.values()].flat().map((one) => (one as { field: string }).field)).toEqual(
      ids.map(() => 'least_size'),
    );
    const again = await venue.catalogue.marketsById(ids, 'following');
    expect([...again.values()].every((market) => market.differences?.length === 1)).toBe(true);
  });
});
