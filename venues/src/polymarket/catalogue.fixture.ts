/** The venue over a stand-in of its servers, and a market and an event as it lists them. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, TEST_RUNTIME } from './stand-in.fixture.ts';

export type ListingSite = Awaited<ReturnType<typeof openListingSite>>;

/** Lists nothing yet; the test moves its clock. */
export async function openListingSite() {
  const clock = { nowMs: 1_000_000 };
  const runtime = { ...TEST_RUNTIME, now: () => instantFromMs(clock.nowMs) };
  const standIn = await openStandIn();
  standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [] }));
  const venue = await openPolymarket(standIn.config(), runtime);
  return {
    ...{ clock, runtime, standIn, venue },
    catalogueReads: () => standIn.requests.filter((request) => request.includes('/gamma/')),
    close: async () => {
      await venue.close();
      await standIn.close();
    },
  };
}

export function market(id: string, changes: object = {}) {
  return {
    conditionId: id,
    question: `Question ${id}`,
    outcomes: '["Yes","No"]',
    clobTokenIds: `["${id}-yes","${id}-no"]`,
    version: 'v1',
    closed: false,
    acceptingOrders: true,
    negRisk: true,
    endDate: '2026-12-31T12:00:00Z',
    orderMinSize: 5,
    orderPriceMinTickSize: 0.001,
    feesEnabled: true,
    feeSchedule: { rate: 0.04, exponent: 1, takerOnly: true, rebateRate: 0.25 },
    ...changes,
  };
}

export const event = (id: string, ...markets: object[]) => ({
  id,
  title: `Event ${id}`,
  negRisk: true,
  negRiskAugmented: false,
  markets,
});
