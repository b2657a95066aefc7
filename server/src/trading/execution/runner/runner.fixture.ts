/** Batches to be carried out against a scripted venue, for the tests of the batch runner. */

import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { idAt, venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { notificationWrites } from '../../../people/notifications/record.ts';
import { together } from '../../../platform/database/write-together.ts';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { type CrashAt, type CrashPoint, crashPoints } from '../../../platform/runtime/crash-point.ts';
import type { TestRuntime } from '../../../test-runtime.ts';
import { type BatchState, loadBatch } from '../../orders/batch-state.ts';
import { batches, batchOrders } from '../../orders/table.ts';
import { oneDesk } from '../../venue-desk/desks.fixture.ts';
import type { VenueDesk } from '../../venue-desk/desks.ts';
import { plainRows } from '../placing/intent.ts';
import { startBatchRunner } from './batch-runner.ts';
import { type ScriptedTrading, scriptedTrading } from './scripted-trading.fixture.ts';

const STEP_MS = 1000;
const FINE_STEP_MS = 10;
/** A batch also changes without a timer, by what was started before or published by another process. */
const CHECK_EVERY_STEPS = 10;
const TOKENS = ['101', '102'];
export const SIZE = sharesFromText('10');
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;

/** A batch of orders of 10 shares at 0.40, two unless said, of which one set pays a dollar, ready to be carried out. */
export async function recordedBatch(
  { runtime }: TestRuntime,
  changed: Partial<Settings> = {},
  tokens: readonly string[] = TOKENS,
): Promise<string> {
  const price = priceFromText('0.4');
  const orders = tokens.map((tokenId, index) => ({
    leg: index + 1,
    marketId: idAt(venueOf(tokenId), `market-${withoutVenue(tokenId)}`),
    marketName: `Market ${tokenId}`,
    outcome: 'Yes',
    tokenId,
    side: 'buy' as const,
    size: SIZE,
    limitPrice: price,
    averagePrice: price,
    cost: usdFromText('4'),
    fee: usdFromText('0'),
    spends: null,
    reserve: usdFromText('4'),
  }));
  const plan = {
    size: SIZE,
    orders,
    totalCost: usdFromText('8'),
    totalFees: usdFromText('0'),
    totalReserve: usdFromText('8'),
    expectedProfit: usdFromText('2'),
    expectedProfitPct: null,
    worstCaseLoss: usdFromText('4'),
    shortOf: [],
  };
  const { batch, writes, notification } = plainRows(runtime, {
    opportunityId: runtime.random.uuid(),
    name: 'Mayor of Meridian · Yes on both',
    targetPrice: priceFromText('1'),
    quotedPrice: null,
    plan,
    sizeBoundedBy: null,
    feeSchedules: new Map(tokens.map((tokenId) => [tokenId, feeOf(0)])),
    bookAges: new Map(),
    settings: { ...DEFAULT_SETTINGS, ...changed },
    automatic: false,
    createdBy: null,
    warning: null,
  });
  const notifying = notificationWrites(runtime, [notification]);
  await runtime.db.execute(together([...writes, ...notifying.writes], notifying.calls));
  return batch.id;
}

/** Records that these shares of each order are to be sold at 0.45, as deciding it does. */
export async function decideSale(
  { runtime }: TestRuntime,
  { batch, orders, sales }: BatchState,
  sizes: readonly Shares[],
): Promise<void> {
  const saleId = runtime.random.uuid();
  const now = runtime.clock.now();
  const price = priceFromText('0.45');
  await runtime.db.transaction(async (tx) => {
    for (const [index, order] of orders.entries()) {
      const size = sizes[index] ?? SHARES_ZERO;
      if (size === 0) continue;
      const fresh = { id: runtime.random.uuid(), side: 'sell' as const, size, price, expectedPrice: price, saleId };
      const empty = { filledSize: SHARES_ZERO, filledCost: USD_ZERO, fee: USD_ZERO, soldSize: SHARES_ZERO };
      const times = { createdAt: now, updatedAt: now };
      await tx.insert(batchOrders).values({
        ...order,
        ...fresh,
        ...empty,
        ...times,
        status: 'pending',
        attemptCount: 0,
        ordinal: orders.length + sales.length + index,
        sellsOrderId: order.id,
      });
    }
    await tx.update(batches).set({ saleUnderWay: true }).where(eq(batches.id, batch.id));
  });
}

/** What differs: of the desk, and of the runner. */
type Changed = Partial<Parameters<typeof startBatchRunner>[0]> &
  Partial<Pick<VenueDesk, 'account' | 'controls'>> & { clockSkewMs?: () => number | null };

/** A process that places, on `venue` where two share one. */
export async function start(
  test: TestRuntime,
  venue = scriptedTrading(test.runtime),
  { account, controls, clockSkewMs = () => null, ...changed }: Changed = {},
) {
  const { trading, openUserStream, chain } = venue.venue;
  const soundness = () => ({ clockSkewMs: clockSkewMs() });
  const given = { soundness, ...(account && { account }), ...(controls && { controls }) };
  const placing = await startBatchRunner({
    runtime: test.runtime,
    catalogue: venue.venue.catalogue,
    desks: oneDesk({ trading, openUserStream, chain, ...given }),
    quotes: { current: () => [], fresh: async () => [] },
    stream: { publish: () => {}, watched: () => false },
    partitions: onlyEngine().partitions,
    found: () => ({ placesFound: false }),
    soundness: () => ({ corruptSettings: [] }),
    settings: { current: () => ({ ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: false }) },
    ...changed,
  });
  return { venue, placing };
}

class Killed extends Error {}

/** The lease of a process that has died has run out. */
export const LEASE_OVER_MS = 8000;
const DYING_ROUNDS_MAX = 60;
const DYING_ROUND_MS = 500;

/** Runs a process until it dies at `crashAt`. */
export async function die(
  test: TestRuntime,
  venue: ScriptedTrading,
  batchId: string,
  crashAt: CrashAt,
  changed: Changed = {},
): Promise<void> {
  let isAlive = true;
  const counted = crashPoints(crashAt, () => {
    isAlive = false;
  });
  const pass = (point: CrashPoint) => {
    if (isAlive) counted(point);
    if (!isAlive) throw new Killed(point);
  };
  const partitions = { ...onlyEngine().partitions, held: () => (isAlive ? null : []) };
  const { placing } = await start({ ...test, runtime: { ...test.runtime, pass } }, venue, { ...changed, partitions });
  placing.wake(batchId);
  for (let round = 0; round < DYING_ROUNDS_MAX && isAlive; round += 1) await test.time.advance(DYING_ROUND_MS);
  if (isAlive) throw new Error(`the process has not passed ${crashAt.point} ${crashAt.passing} times`);
  await placing.stop();
}

/**
 * Lets time pass, each step only once all work of the one before is done, until the batch looks as wanted; it is looked at
 * whenever something fell due, and now and then besides.
 */
export async function until(
  test: TestRuntime,
  batchId: string,
  wanted: (state: BatchState) => boolean,
): Promise<BatchState> {
  let mayHaveChanged = true;
  for (let round = 0; round < 1500; round += 1) {
    const state = mayHaveChanged || round % CHECK_EVERY_STEPS === 0 ? await snapshotOf(test, batchId) : null;
    if (state && wanted(state)) return state;
    mayHaveChanged = await test.time.advance(FINE_STEP_MS);
  }
  throw new Error(`the batch did not get to what was wanted: ${JSON.stringify(await snapshotOf(test, batchId))}`);
}

/** Lets `ms` pass a second at a time. */
export async function pass(test: TestRuntime, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) await test.time.advance(Math.min(left, STEP_MS));
}

/** All of one moment, as the batch runner writes at the same time. */
export async function snapshotOf({ runtime }: TestRuntime, batchId: string): Promise<BatchState | null> {
  return await runtime.db.transaction((tx) => loadBatch(tx, batchId), { isolationLevel: 'repeatable read' });
}

export const ended = ({ batch }: BatchState) => batch.executionCompletedAt !== null;
