/** The calls that convert shares into dollars, simulated and carried out. */

import {
  type CashNowSimulation,
  cashNowOfBatch,
  cashNowOfEvent,
  type RedeemSimulation,
  redeem,
  type Submitted,
} from '@dutchbook/contract/exits.ts';
import type { EventId, MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { call } from '../../calls/call.ts';

const OTHER_ANSWER = 'The server answered another question than was asked. Reload the page.';

const SIMULATE = { simulate: true };
const CARRY_OUT = { simulate: false };

type Answer = CashNowSimulation | RedeemSimulation | Submitted;

function simulated<Simulation extends Answer>(reply: Simulation | Submitted): Simulation {
  if (!reply.simulation) throw new Error(OTHER_ANSWER);
  return reply as Simulation;
}

function submitted(reply: Answer): Submitted {
  if (reply.simulation) throw new Error(OTHER_ANSWER);
  return reply;
}

/** `orderIds`: these of its orders alone. */
export async function simulateCashNowOfBatch(batchId: string, orderIds?: readonly string[]) {
  const body = orderIds === undefined ? null : { order_ids: [...orderIds] };
  return simulated(await call(cashNowOfBatch, { params: { batch_id: batchId }, query: SIMULATE, body }));
}

export async function submitCashNowOfBatch(batchId: string, orderIds: readonly string[], idempotencyKey: string) {
  const body = { order_ids: [...orderIds] };
  return submitted(
    await call(cashNowOfBatch, { params: { batch_id: batchId }, query: CARRY_OUT, body, idempotencyKey }),
  );
}

export async function simulateCashNowOfEvent(eventId: EventId): Promise<CashNowSimulation> {
  return simulated(await call(cashNowOfEvent, { params: { event_id: eventId }, query: SIMULATE }));
}

export async function submitCashNowOfEvent(eventId: EventId, idempotencyKey: string): Promise<Submitted> {
  return submitted(await call(cashNowOfEvent, { params: { event_id: eventId }, query: CARRY_OUT, idempotencyKey }));
}

/** What has won: in this market alone, or at this venue. */
type Redeemed = { marketId: MarketId | undefined; venue: VenueName | undefined };

export async function simulateRedeem(redeemed: Redeemed): Promise<RedeemSimulation> {
  return simulated(await call(redeem, { query: { ...SIMULATE, venue: redeemed.venue }, body: marketsIn(redeemed) }));
}

export async function submitRedeem(redeemed: Redeemed, idempotencyKey: string): Promise<Submitted> {
  const query = { ...CARRY_OUT, venue: redeemed.venue };
  return submitted(await call(redeem, { query, body: marketsIn(redeemed), idempotencyKey }));
}

const marketsIn = ({ marketId }: Redeemed) => (marketId === undefined ? null : { market_ids: [marketId] });
