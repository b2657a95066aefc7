import {
  addFault,
  advanceClock,
  clearFaults,
  pauseMakers,
  readSimulator,
  resolveMarket,
  setBook,
} from '@dutchbook/contract/simulator.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { Simulator } from './simulator.ts';

const MINUTE_MS = 60_000;

/** Controls of the simulated exchange, for superusers; each change is audited. Refused at any other venue. */
export function registerSimulator(app: App, runtime: Runtime): void {
  const { venueMode, polymarket } = runtime.config;
  const simulator = () => {
    if (modeOf(venueMode).world !== 'simulated') throw new NotFound('Only the simulated exchange can be changed');
    return new Simulator(polymarket.clobUrl);
  };
  const record = (actor: Actor, object: string, after: JsonObject) =>
    recordAction(runtime.db, runtime, actor, { action: 'simulator.changed', object, after });

  route(app, readSimulator, () => simulator().state());

  route(app, advanceClock, async ({ body: { minutes }, actor }) => {
    await simulator().post('clock', { advance_ms: minutes * MINUTE_MS }, 'minutes');
    await record(actor, 'clock', { minutes });
    return { message: 'The clock was moved ahead' };
  });

  route(app, addFault, async ({ body, actor }) => {
    await simulator().post('faults', body, 'name');
    await record(actor, 'faults', body);
    return { message: 'The exchange will misbehave' };
  });

  route(app, clearFaults, async ({ actor }) => {
    await simulator().clearFaults();
    await record(actor, 'faults', {});
    return { message: 'All faults were taken away' };
  });

  route(app, resolveMarket, async ({ body: { market_id, outcome }, actor }) => {
    await simulator().post('resolve', { condition_id: market_id, outcome }, 'outcome');
    await record(actor, market_id, { outcome });
    return { message: 'The market was resolved' };
  });

  route(app, setBook, async ({ body: { token_id, bids, asks }, actor }) => {
    const written = (levels: typeof bids) =>
      levels.map(({ price, size }) => ({ price: priceToText(price), size: sharesToText(size) }));
    const book = { bids: written(bids), asks: written(asks) };
    await simulator().post('book', { token_id, ...book }, 'bids');
    await record(actor, token_id, book);
    return { message: 'The book was replaced' };
  });

  route(app, pauseMakers, async ({ body: { paused }, actor }) => {
    await simulator().post(paused ? 'pause' : 'resume', {}, 'paused');
    await record(actor, 'makers', { paused });
    return { message: paused ? 'The market makers stand still' : 'The market makers go on' };
  });
}
