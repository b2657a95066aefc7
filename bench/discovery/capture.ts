// What does the desk take, placing by itself what discovery finds, of what somebody makes who knows of everything in
// advance and has the same fees, the same latency and the same order size? Sets that pay come and go on the planted
// exchange, beside decoys that only look so and makers that move. Printed: the share in dollars and in windows, what was
// lost on decoys, and for all that was missed why, as the API tells it. Budget: 90 % of the dollars, nothing on a decoy.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/discovery/capture.ts
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../calls.ts';
import { median, quantile, say, tell } from '../rows.ts';
import { buildServer } from '../server-process.ts';
import {
  type BoughtBatch,
  type EventState,
  groupedReasons,
  type JudgedWindow,
  judgeWindows,
  type Observed,
  type PlantedEvent,
  type ReportedTrigger,
} from './match-windows.ts';
import {
  EVENTS_PLANTED,
  listAll,
  openDiscoveringProduct,
  plantedCounts,
  type Relation,
  readPlanted,
  untilEverythingIsWatched,
} from './product.ts';

const MINUTES = 2;
const PACE = { pause_ms: 60_000, length_ms: 3600 };
const PLANTED = plantedCounts(EVENTS_PLANTED);
const SHARE_MIN = 90;
const MIN_PROFIT_USD = 0.01;
/** No planted set is offered for fewer. */
const ORDER_SIZE = 20;
/** As a desk sets it that wants all that pays, at any price and at its best ask alone. */
const SETTINGS = {
  MIN_ORDER_SHARES: ORDER_SIZE,
  MIN_ORDER_VALUE_USD: 1,
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: 1,
  MIN_PROFIT_TRIGGER_THRESHOLD: 0.1,
  PRICE_LOW_THRESHOLD: 0.01,
  PRICE_HIGH_THRESHOLD: 0.99,
};
const DISCOVERY = { ladder: true, buckets: true, min_profit_usd: MIN_PROFIT_USD };
const LATEST_BATCH_MS = 10_000;
/** An order of which the venue has not said what became of it is asked about for so long. */
const ENDED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1000;
const REASONS_MAX = 15;

type Batch = {
  id: string;
  opportunity_id: string;
  status: string;
  created_at: string;
  execution_started_at: string | null;
  actual_profit_usd: number | null;
  last_error: string | null;
};
type Opportunity = { id: string; relation_id: string | null };
type Notification = {
  opportunity_id: string | null;
  created_at: string;
  message: string;
  data: { batch_id: string | null };
};

buildServer();
await measure();
process.exit();

async function measure(): Promise<void> {
  await using product = await openDiscoveringProduct({
    planted: PLANTED,
    settings: SETTINGS,
    discovery: DISCOVERY,
  });
  const { exchange, call } = product;
  const relations = await untilEverythingIsWatched(product);
  say(
    `  ${relations.length} relations watched, ${relations.filter(({ may_trade: may }) => may).length} of them may trade`,
  );
  await exchange.control('resume', {});
  await exchange.control('plant', { move: true, ...PACE });
  await call('PUT', '/system-settings/discovery', { auto_place_found: true });
  const fromMs = Date.now();
  await pause(MINUTES * 60_000);
  const toMs = Date.now();
  await exchange.control('plant', { move: false });
  await pause(LATEST_BATCH_MS);
  await untilBatchesEnd(call);
  const planted = await readPlanted(exchange.url);
  const { observed, startedAtMs } = await readObserved(call);
  const rules = {
    fromMs,
    toMs,
    orderSize: ORDER_SIZE,
    minProfitUsd: MIN_PROFIT_USD,
    latencyMs: 0,
  };
  const latencies = latenciesOf(judgeWindows(planted, observed, rules), startedAtMs);
  const latencyMs = median(latencies);
  tellAll(judgeWindows(planted, observed, { ...rules, latencyMs }), planted, observed.batches, latencies);
}

/** One that still buys its second leg looks like a loss. */
async function untilBatchesEnd(call: Call): Promise<void> {
  for (const untilMs = Date.now() + ENDED_WITHIN_MS; Date.now() < untilMs; await pause(LOOK_EVERY_MS)) {
    const { count } = (await call('GET', '/arbitrage/batches/active/list')) as { count: number };
    if (count === 0) return;
  }
}

/** From the API alone. */
async function readObserved(call: Call): Promise<{ observed: Observed; startedAtMs: Map<string, number> }> {
  const relations = await listAll<Relation>(call, '/relations');
  const opportunities = await listAll<Opportunity>(call, '/arbitrage/opportunities');
  const batches = await listAll<Batch>(call, '/arbitrage/batches');
  const reported = await listAll<Notification>(call, '/notifications/records?notification_type=opportunity_triggered');
  const eventOf = new Map(relations.map(({ id, event_id: eventId }) => [id, eventId]));
  const eventOfOpportunity = new Map(
    opportunities.map(({ id, relation_id: relationId }) => [id, eventOf.get(relationId ?? '') ?? null]),
  );
  const bought = batches.map(
    (batch): BoughtBatch => ({
      id: batch.id,
      eventId: eventOfOpportunity.get(batch.opportunity_id) ?? null,
      createdAtMs: Date.parse(batch.created_at),
      status: batch.status,
      profitUsd: batch.actual_profit_usd ?? 0,
      lastError: batch.last_error,
    }),
  );
  const triggers = reported.flatMap(({ opportunity_id: id, created_at: at, message, data }): ReportedTrigger[] => {
    const eventId = eventOfOpportunity.get(id ?? '') ?? null;
    const refusal = message.split('No order is placed: ')[1] ?? null;
    return eventId === null || data.batch_id !== null ? [] : [{ eventId, atMs: Date.parse(at), refusal }];
  });
  const states = new Map<string, EventState>();
  for (const { event_id: eventId, may_trade: mayTrade, hits, id } of relations) {
    const before = states.get(eventId) ?? { relations: 0, mayTrade: 0, hits: 0, opportunities: 0 };
    states.set(eventId, {
      relations: before.relations + 1,
      mayTrade: before.mayTrade + (mayTrade ? 1 : 0),
      hits: before.hits + hits,
      opportunities: before.opportunities + opportunities.filter(({ relation_id: by }) => by === id).length,
    });
  }
  const startedAtMs = new Map(
    batches.flatMap(({ id, execution_started_at: at }) => (at === null ? [] : [[id, Date.parse(at)] as const])),
  );
  return { observed: { batches: bought, triggers, states }, startedAtMs };
}

/** From the beginning of each window that was taken until its first batch was started. */
function latenciesOf(windows: readonly JudgedWindow[], startedAtMs: ReadonlyMap<string, number>): number[] {
  return windows.flatMap(({ fromMs, batches }) => {
    const started = batches.flatMap(({ id }) => startedAtMs.get(id) ?? []);
    return started.length === 0 ? [] : [Math.min(...started) - fromMs];
  });
}

function tellAll(
  windows: readonly JudgedWindow[],
  planted: readonly PlantedEvent[],
  batches: readonly BoughtBatch[],
  latencies: readonly number[],
): void {
  const sum = (of: (window: JudgedWindow) => number) => windows.reduce((total, window) => total + of(window), 0);
  const reachable = windows.filter(({ clairvoyantUsd }) => clairvoyantUsd > 0);
  const clairvoyantUsd = sum((window) => window.clairvoyantUsd);
  const takenUsd = sum((window) => window.takenUsd);
  const name = `capture of ${PLANTED.mispriced} planted sets, ${PACE.length_ms / 1000} s each`;
  const decoys = new Set(planted.filter((event) => event.is_decoy).flatMap((event) => event.event_ids));
  const onDecoys = batches.filter(({ eventId }) => eventId !== null && decoys.has(eventId));
  tell({
    question: `${name}: of the dollars of a clairvoyant`,
    figure: (100 * takenUsd) / clairvoyantUsd,
    unit: '%',
    budget: { atLeast: SHARE_MIN },
  });
  tell({
    question: `${name}: of the windows`,
    figure: (100 * reachable.filter(({ reason }) => reason === null).length) / reachable.length,
    unit: '%',
  });
  tell({
    question: `${name}: bought of decoys`,
    figure: onDecoys.length,
    unit: '',
    budget: { atMost: 0 },
  });
  tell({
    question: `${name}: from the window to its orders, p50`,
    figure: median(latencies),
    unit: 'ms',
  });
  tell({
    question: `${name}: the same, p99`,
    figure: quantile(latencies, 0.99),
    unit: 'ms',
  });
  tell({
    question: `${name}: of all dollars in the books, at any size`,
    figure: (100 * takenUsd) / sum(({ wholeUsd }) => wholeUsd),
    unit: '%',
  });
  say(
    `  ${windows.length} windows in ${MINUTES} minutes, ${reachable.length} long enough; $${takenUsd.toFixed(2)} of $${clairvoyantUsd.toFixed(2)}, ` +
      `$${sum(({ wholeUsd }) => wholeUsd).toFixed(2)} in the books; ${batches.length} batches in all, ${windows.reduce((count, window) => count + Math.max(0, window.batches.length - 1), 0)} second ones of a window`,
  );
  const reasons = groupedReasons(windows);
  say(`  missed: ${reasons.length === 0 ? 'nothing' : ''}`);
  for (const { reason, windows: count, usd, example } of reasons.slice(0, REASONS_MAX)) {
    const { event, fromMs, lengthMs } = example;
    say(
      `    ${count} times, $${usd.toFixed(2)}: ${reason} (as event ${event.event_ids.join(' and ')}, ${event.basis}, ${new Date(fromMs).toISOString()}, ${lengthMs} ms)`,
    );
  }
}
