// What does the desk take, placing by itself what discovery finds, of all dollars that are in the books after fees, as a trader
// takes them who knows of every window in advance and has the same limits, fees, latency and cash? Sets that pay come and go on
// the planted exchange, beside decoys that only look so; SIZE_POLICY is Smallest and Best by turns. Printed:
// the share in dollars and in windows, and in what clips of the same size and pace reach, what was bought of decoys, and for all that was missed why, as the API tells it.
// Budget: 85 % of the dollars with Best, nothing of a decoy.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/discovery/capture.ts
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../calls.ts';
import { median, quantile, say, tell } from '../rows.ts';
import { buildServer } from '../server-process.ts';
import {
  type BoughtBatch,
  type ClipPace,
  type EventState,
  groupedReasons,
  type JudgedWindow,
  judgeWindows,
  type Observed,
  type PlantedEvent,
  type ReportedTrigger,
  reachableUsd,
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

type Policy = { name: string; settings: Record<string, string | number>; shareMin: number | null };
/** The clip that a first start has. The second takes as much at once as a trader who knows that the depth is there. */
const POLICIES: readonly Policy[] = [
  { name: 'Smallest', settings: { SIZE_POLICY: 'smallest' }, shareMin: null },
  { name: 'Best', settings: { SIZE_POLICY: 'best', CLIP_USD: 250, LOSS_ALLOWANCE_USD: 250 }, shareMin: 85 },
  {
    name: 'Best with $25 at risk',
    settings: { SIZE_POLICY: 'best', CLIP_USD: 250, LOSS_ALLOWANCE_USD: 25 },
    shareMin: null,
  },
];
/** Each policy has so many, by turns. */
const TURNS = 3;
const TURN_MS = 10_000;
const PACE = { pause_ms: 15_000, length_ms: 3600 };
const PLANTED = plantedCounts(EVENTS_PLANTED);
const NAMED = `capture of ${PLANTED.mispriced} planted sets, ${PACE.length_ms / 1000} s each`;
const MIN_PROFIT_USD = 0.01;
/** As a desk sets it that wants all that pays, at any price and at its best ask alone. */
const SETTINGS = {
  MIN_ORDER_SHARES: 5,
  MIN_ORDER_VALUE_USD: 1,
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: 1,
  MIN_PROFIT_TRIGGER_THRESHOLD: 0.1,
  PRICE_LOW_THRESHOLD: 0.01,
  PRICE_HIGH_THRESHOLD: 0.99,
};
const DISCOVERY = { ladder: true, buckets: true, min_profit_usd: MIN_PROFIT_USD };
const LATEST_BATCH_MS = 3000;
/** An order of which the venue has not said what became of it is asked about for so long. */
const ENDED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 1000;
const REASONS_MAX = 15;

type Turn = { policy: Policy; fromMs: number; toMs: number };

type Batch = {
  id: string;
  opportunity_id: string;
  status: string;
  created_at: string;
  execution_started_at: string | null;
  execution_completed_at: string | null;
  actual_profit_usd: number | null;
  last_error: string | null;
  size_bounded_by: string | null;
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
  const turns: Turn[] = [];
  for (const policy of Array<readonly Policy[]>(TURNS).fill(POLICIES).flat()) {
    await call('PUT', '/system-settings/', policy.settings);
    const fromMs = Date.now();
    await pause(TURN_MS);
    turns.push({ policy, fromMs, toMs: Date.now() });
  }
  await exchange.control('plant', { move: false });
  await pause(LATEST_BATCH_MS);
  await untilBatchesEnd(call);
  const planted = await readPlanted(exchange.url);
  const { observed, startedAtMs, endedAtMs } = await readObserved(call);
  for (const policy of POLICIES) {
    const own = turns.filter((turn) => turn.policy === policy);
    const judge = (latencyMs: number) =>
      own.flatMap((turn) => judgeWindows(planted, observed, { ...turn, latencyMs, minProfitUsd: MIN_PROFIT_USD }));
    const latencies = latenciesOf(judge(0), startedAtMs);
    const windows = judge(median(latencies));
    tellAll(policy, windows, latencies);
    tellReached(policy, windows, { latencyMs: median(latencies), clipMs: clipMsOf(windows) });
    sayPauses(windows, endedAtMs);
  }
  tellDecoys(planted, observed.batches);
}

/** One that still buys its second leg looks like a loss. */
async function untilBatchesEnd(call: Call): Promise<void> {
  for (const untilMs = Date.now() + ENDED_WITHIN_MS; Date.now() < untilMs; await pause(LOOK_EVERY_MS)) {
    const { count } = (await call('GET', '/arbitrage/batches/active/list')) as { count: number };
    if (count === 0) return;
  }
}

/** From the API alone. */
async function readObserved(call: Call) {
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
      boundedBy: batch.size_bounded_by,
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
  const endedAtMs = new Map(
    batches.flatMap(({ id, execution_completed_at: at }) => (at === null ? [] : [[id, Date.parse(at)] as const])),
  );
  const observed: Observed = { batches: bought, triggers, states };
  return { observed, startedAtMs, endedAtMs };
}

/** From the beginning of each window that was taken until its first batch was started. */
function latenciesOf(windows: readonly JudgedWindow[], startedAtMs: ReadonlyMap<string, number>): number[] {
  return windows.flatMap(({ fromMs, batches }) => {
    const started = batches.flatMap(({ id }) => startedAtMs.get(id) ?? []);
    return started.length === 0 ? [] : [Math.min(...started) - fromMs];
  });
}

function tellAll(policy: Policy, windows: readonly JudgedWindow[], latencies: readonly number[]): void {
  const sum = (of: (window: JudgedWindow) => number) => windows.reduce((total, window) => total + of(window), 0);
  const reachable = windows.filter(({ clairvoyantUsd }) => clairvoyantUsd > 0);
  const taken = reachable.filter(({ batches }) => batches.length > 0);
  const [wholeUsd, takenUsd] = [sum(({ clairvoyantUsd }) => clairvoyantUsd), sum((window) => window.takenUsd)];
  const name = `${NAMED}, ${policy.name}`;
  const share = { question: `${name}: of all dollars after fees`, figure: (100 * takenUsd) / wholeUsd, unit: '%' };
  tell({ ...share, ...(policy.shareMin !== null && { budget: { atLeast: policy.shareMin } }) });
  tell({ question: `${name}: of the windows`, figure: (100 * taken.length) / reachable.length, unit: '%' });
  tell({ question: `${name}: from the window to its orders, p50`, figure: median(latencies), unit: 'ms' });
  tell({ question: `${name}: the same, p99`, figure: quantile(latencies, 0.99), unit: 'ms' });
  const clips = taken.reduce((count, { batches }) => count + batches.length, 0) / taken.length;
  say(
    `  ${policy.name}: ${windows.length} windows, ${reachable.length} long enough; $${takenUsd.toFixed(2)} of $${wholeUsd.toFixed(2)}; ` +
      `${clips.toFixed(1)} batches a window`,
  );
  for (const { reason, windows: count, usd, example } of groupedReasons(windows).slice(0, REASONS_MAX)) {
    const { event, fromMs, lengthMs } = example;
    say(
      `    ${count} times, $${usd.toFixed(2)}: ${reason} (as event ${event.event_ids.join(' and ')}, ${event.basis}, ${new Date(fromMs).toISOString()}, ${lengthMs} ms)`,
    );
  }
}

function tellDecoys(planted: readonly PlantedEvent[], batches: readonly BoughtBatch[]): void {
  const decoys = new Set(planted.filter((event) => event.is_decoy).flatMap((event) => event.event_ids));
  const onDecoys = batches.filter(({ eventId }) => eventId !== null && decoys.has(eventId));
  tell({ question: `${NAMED}: bought of decoys`, figure: onDecoys.length, unit: '', budget: { atMost: 0 } });
}

/** Beside all dollars, those that clips of equal size and pace reach, which a load on the machine reduces as well. */
function tellReached(policy: Policy, windows: readonly JudgedWindow[], pace: ClipPace): void {
  if (!Number.isFinite(pace.clipMs)) return;
  const reachable = windows.reduce((sum, window) => sum + reachableUsd(window, pace), 0);
  const takenUsd = windows.reduce((sum, window) => sum + window.takenUsd, 0);
  const question = `${NAMED}, ${policy.name}: of the dollars that clips of its size and pace reach`;
  tell({ question, figure: (100 * takenUsd) / reachable, unit: '%' });
}

/** From the record of a clip to that of the next one; not a number where no window had two. */
function clipMsOf(windows: readonly JudgedWindow[]): number {
  return median(
    windows.flatMap(({ batches }) => {
      const at = batches.map(({ createdAtMs }) => createdAtMs).toSorted((one, other) => one - other);
      return at.slice(1).map((next, place) => next - (at[place] ?? next));
    }),
  );
}

/** How long a clip takes until it has ended, and from there to the record of the next one. */
function sayPauses(windows: readonly JudgedWindow[], endedAtMs: ReadonlyMap<string, number>): void {
  const pairs = windows.flatMap(({ batches }) => {
    const inOrder = batches.toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    return inOrder.slice(1).map((clip, place) => ({ before: inOrder[place], clip }));
  });
  const known = pairs.flatMap(({ before, clip }) => {
    const endedMs = endedAtMs.get(before?.id ?? '');
    if (before === undefined || endedMs === undefined) return [];
    return [{ tookMs: endedMs - before.createdAtMs, pauseMs: clip.createdAtMs - endedMs }];
  });
  if (known.length === 0) return;
  const tookMs = median(known.map((one) => one.tookMs));
  const pauseMs = median(known.map((one) => one.pauseMs));
  say(`  a clip takes ${tookMs} ms until it has ended, and the next one is recorded ${pauseMs} ms later (medians)`);
}
