/** The calls that convert shares into dollars, simulated and carried out. */

import {
  type CashNowSimulation,
  cashNowOfBatch,
  cashNowOfEvent,
  type RedeemSimulation,
  redeem,
  type Submitted,
} from '@dutchbook/contract/exits.ts';
import type { EventId, MarketId } from '@dutchbook/units/ids.ts';
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

/** `marketId`: what has won in this market alone. */
export async function simulateRedeem(marketId: MarketId | undefined): Promise<RedeemSimulation> {
  return simulated(await call(redeem, { query: SIMULATE, body: marketsIn(marketId) }));
}

export async function submitRedeem(marketId: MarketId | undefined, idempotencyKey: string): Promise<Submitted> {
  return submitted(await call(redeem, { query: CARRY_OUT, body: marketsIn(marketId), idempotencyKey }));
}

const marketsIn = (marketId: MarketId | undefined) => (marketId === undefined ? null : { market_ids: [marketId] });
