// What does the desk take, placing by itself what discovery finds, of all dollars that are in the books after fees, as a trader
// takes them who knows of every window in advance and has the same limits, fees, latency and cash? Sets that pay come and go on
// the planted exchange, beside decoys that only look so; SIZE_POLICY is Smallest and Best by turns.
// Budget: 85 % of the dollars with Best, nothing of a decoy.
import { setTimeout as pause } from 'node:timers/promises';
import { openSimulatedExchange } from '../exchange.ts';
import { listAll, openProduct } from '../product.ts';
import { median, quantile, say, tell } from '../rows.ts';
import { type BoughtBatch, type JudgedWindow, judgeWindows, type PlantedEvent } from './match-windows.ts';

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
/** Events in all, those in which a set pays now and then, and decoys. */
const PLANTED = { events: 160, mispriced: 64, decoys: 64 };
const NAMED = `capture of ${PLANTED.mispriced} planted sets, ${PACE.length_ms / 1000} s each`;
/** As a desk sets it that wants all that pays, at any price and at its best ask alone. */
const SETTINGS = {
  MIN_ORDER_SHARES: 5,
  MIN_ORDER_VALUE_USD: 1,
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: 1,
  MIN_PROFIT_TRIGGER_THRESHOLD: 0.1,
  PRICE_LOW_THRESHOLD: 0.01,
  PRICE_HIGH_THRESHOLD: 0.99,
};
const DISCOVERY = { ladder: true, buckets: true, min_profit_usd: 0.01 };
/** What is still being read when the venue has been read once. */
const APPROVED_WITHIN_MS = 4000;
const LATEST_BATCH_MS = 3000;
/** An order of which the venue has not said what became of it is asked about for so long. */
const ENDED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 500;

/** As the API lists them; dollars. */
type Relation = { id: string; event_id: string; quoted: number; may_trade: boolean };
type Opportunity = { id: string; relation_id: string | null };
type Batch = {
  opportunity_id: string;
  created_at: string;
  execution_started_at: string | null;
  actual_profit_usd: number | null;
};

await using exchange = await openSimulatedExchange({ planted: PLANTED });
await using product = await openProduct(exchange.variables);
const { call } = product;
await call('PUT', '/system-settings/', SETTINGS);
await call('PUT', '/system-settings/discovery', DISCOVERY);
await watchEverything();
await exchange.control('resume', {});
await exchange.control('plant', { move: true, ...PACE });
await call('PUT', '/system-settings/discovery', { auto_place_found: true });
const turns: { policy: Policy; fromMs: number; toMs: number }[] = [];
for (const policy of Array<readonly Policy[]>(TURNS).fill(POLICIES).flat()) {
  await call('PUT', '/system-settings/', policy.settings);
  const fromMs = Date.now();
  await pause(TURN_MS);
  turns.push({ policy, fromMs, toMs: Date.now() });
}
await exchange.control('plant', { move: false });
await pause(LATEST_BATCH_MS);
await untilBatchesEnd();
const planted = (await (await fetch(`${exchange.url}/_control/planted`)).json()) as PlantedEvent[];
const batches = await readBatches();
for (const policy of POLICIES) {
  const judge = (latencyMs: number) =>
    turns
      .filter((turn) => turn.policy === policy)
      .flatMap((turn) => judgeWindows(planted, batches, { ...turn, latencyMs }));
  const latencies = judge(0).flatMap(latencyOf);
  tellShares(policy, judge(median(latencies)), latencies);
}
const decoys = new Set(planted.filter((event) => event.is_decoy).flatMap((event) => event.event_ids));
const ofDecoys = batches.filter(({ eventId }) => decoys.has(eventId ?? '')).length;
tell({ question: `${NAMED}: bought of decoys`, figure: ofDecoys, unit: '', budget: { atMost: 0 } });

/** Waits until the venue has been read once and its books are there, and approves as a superuser all that was read from words. */
async function watchEverything(): Promise<void> {
  for (let before = -1; ; await pause(LOOK_EVERY_MS)) {
    const { sync } = (await call('GET', '/relations/census')) as { sync: { finished_at: string | null } };
    const relations = await listAll<Relation>(call, '/relations');
    const quoted = relations.filter((relation) => relation.quoted > 0).length;
    if (sync.finished_at !== null && relations.length > 0 && quoted === before) break;
    before = quoted;
  }
  for (const { id } of await listAll<Relation>(call, '/relations?state=proposed&basis=parsed')) {
    const { fingerprint } = (await call('GET', `/relations/${id}`)) as { fingerprint: string };
    await call('POST', `/relations/${id}/approve`, { fingerprint });
  }
  await pause(APPROVED_WITHIN_MS);
  const relations = await listAll<Relation>(call, '/relations');
  const traded = relations.filter(({ may_trade: may }) => may).length;
  say(`  ${relations.length} relations watched, ${traded} of them may trade`);
}

/** One that still buys its second leg looks like a loss. */
async function untilBatchesEnd(): Promise<void> {
  for (const untilMs = Date.now() + ENDED_WITHIN_MS; Date.now() < untilMs; await pause(LOOK_EVERY_MS)) {
    const { count } = (await call('GET', '/arbitrage/batches/active/list')) as { count: number };
    if (count === 0) return;
  }
}

/** From the API alone. */
async function readBatches(): Promise<BoughtBatch[]> {
  const relations = await listAll<Relation>(call, '/relations');
  const opportunities = await listAll<Opportunity>(call, '/arbitrage/opportunities');
  const eventOf = new Map(relations.map(({ id, event_id: eventId }) => [id, eventId]));
  const relationOf = new Map(opportunities.map(({ id, relation_id: relationId }) => [id, relationId ?? '']));
  return (await listAll<Batch>(call, '/arbitrage/batches')).map((batch) => ({
    eventId: eventOf.get(relationOf.get(batch.opportunity_id) ?? '') ?? null,
    createdAtMs: Date.parse(batch.created_at),
    startedAtMs: batch.execution_started_at === null ? null : Date.parse(batch.execution_started_at),
    profitUsd: batch.actual_profit_usd ?? 0,
  }));
}

/** From the beginning of the window until its first batch was started; none where it was not taken. */
function latencyOf(window: JudgedWindow): number[] {
  const started = window.batches.flatMap(({ startedAtMs }) => startedAtMs ?? []);
  return started.length === 0 ? [] : [Math.min(...started) - window.fromMs];
}

function tellShares({ name, shareMin }: Policy, windows: readonly JudgedWindow[], latencies: readonly number[]): void {
  const reachable = windows.filter(({ clairvoyantUsd }) => clairvoyantUsd > 0);
  const taken = reachable.filter((window) => window.batches.length > 0);
  const wholeUsd = windows.reduce((sum, { clairvoyantUsd }) => sum + clairvoyantUsd, 0);
  const takenUsd = windows.reduce((sum, window) => sum + window.takenUsd, 0);
  const share = { figure: (100 * takenUsd) / wholeUsd, unit: '%' };
  const budget = shareMin === null ? null : { atLeast: shareMin };
  tell({ question: `${NAMED}, ${name}: of all dollars after fees`, ...share, budget });
  const ofWindows = (100 * taken.length) / reachable.length;
  tell({ question: `${NAMED}, ${name}: of the windows`, figure: ofWindows, unit: '%' });
  const toOrders = `${NAMED}, ${name}: from the window to its orders`;
  tell({ question: `${toOrders}, p50`, figure: median(latencies), unit: 'ms' });
  tell({ question: `${toOrders}, p99`, figure: quantile(latencies, 0.99), unit: 'ms' });
  say(`  ${name}: ${windows.length} windows, ${reachable.length} long enough; $${takenUsd.toFixed(2)}`);
}
