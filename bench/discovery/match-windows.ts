/** Which planted windows were taken, and why others were not, judged only by what the exchange and the API say. */

/** As `GET /_control/planted` tells it; amounts as decimal text, times in milliseconds of exchange time. */
export type PlantedEvent = {
  event_ids: readonly string[];
  kind: string;
  basis: string;
  is_decoy: boolean;
  windows: readonly {
    from_ms: number;
    until_ms: number | null;
    edge_usd: string;
    size: string;
    profit_usd: string;
  }[];
};

/** A batch of the product, and the event that its opportunity was found in; null where nothing was found by discovery. */
export type BoughtBatch = {
  id: string;
  eventId: string | null;
  createdAtMs: number;
  status: string;
  profitUsd: number;
  /** What bounded its size; null where it was the smallest. */
  boundedBy: string | null;
  lastError: string | null;
};

/** A trigger that the product reported; `refusal`: why no order was placed, null where one was. */
export type ReportedTrigger = { eventId: string; atMs: number; refusal: string | null };

/** What the list of relations says of an event. */
export type EventState = { relations: number; mayTrade: number; hits: number; opportunities: number };

export type Observed = {
  batches: readonly BoughtBatch[];
  triggers: readonly ReportedTrigger[];
  /** By event. */
  states: ReadonlyMap<string, EventState>;
};

export type Rules = {
  /** Windows count that begin and end within the span. */
  fromMs: number;
  toMs: number;
  /** How long the product itself takes from the beginning of a window until its orders leave. */
  latencyMs: number;
  minProfitUsd: number;
};

/** `clairvoyantUsd`: the profit of a trader who knows the window in advance, with equal fees and latency. */
export type JudgedWindow = {
  event: PlantedEvent;
  fromMs: number;
  lengthMs: number;
  clairvoyantUsd: number;
  takenUsd: number;
  batches: readonly BoughtBatch[];
  /** Why it was not taken whole; null where it was. */
  reason: string | null;
};

/** A shortfall below this share of the possible profit is rounding. */
const ROUNDING_SHARE = 0.02;

/**
 * Every window of the span once, with the batches that were bought in it and the reported triggers. Each belongs to the
 * last window of its event that began before it.
 */
export function judgeWindows(planted: readonly PlantedEvent[], observed: Observed, rules: Rules): JudgedWindow[] {
  return planted
    .filter(({ is_decoy: isDecoy }) => !isDecoy)
    .flatMap((event) =>
      event.windows.flatMap((window, place) => {
        const nextMs = event.windows[place + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
        const isWithin = window.from_ms >= rules.fromMs && window.until_ms !== null && window.until_ms <= rules.toMs;
        if (!isWithin) return [];
        const isOwn = (eventId: string | null, atMs: number) =>
          eventId !== null && event.event_ids.includes(eventId) && atMs >= window.from_ms && atMs < nextMs;
        const own = {
          batches: observed.batches.filter(({ eventId, createdAtMs }) => isOwn(eventId, createdAtMs)),
          triggers: observed.triggers.filter(({ eventId, atMs }) => isOwn(eventId, atMs)),
          states: observed.states,
        };
        return [judged(event, window, own, rules)];
      }),
    );
}

function judged(
  event: PlantedEvent,
  window: PlantedEvent['windows'][number],
  own: Observed,
  rules: Rules,
): JudgedWindow {
  const { batches } = own;
  const fromMs = window.from_ms;
  const lengthMs = (window.until_ms ?? fromMs) - fromMs;
  const isReachable = lengthMs >= rules.latencyMs;
  const clairvoyantUsd = isReachable ? Number(window.edge_usd) * Number(window.size) : 0;
  const takenUsd = Math.min(
    clairvoyantUsd,
    batches.reduce((sum, { profitUsd }) => sum + profitUsd, 0),
  );
  const isWhole = isReachable && takenUsd >= clairvoyantUsd * (1 - ROUNDING_SHARE);
  const reason = isWhole ? null : reasonOf(event, window, own, rules);
  return {
    event,
    fromMs,
    lengthMs,
    clairvoyantUsd,
    takenUsd,
    batches,
    reason,
  };
}

/** How long it takes from the beginning of a window to the first clip, and from the record of a clip to that of the next one. */
export type ClipPace = { latencyMs: number; clipMs: number };

/**
 * The profit of a trader who buys clips of equal size at an equal pace, so that a loaded machine slows both. The whole window where
 * nothing was bought.
 */
export function reachableUsd(
  { clairvoyantUsd, lengthMs, batches }: Pick<JudgedWindow, 'clairvoyantUsd' | 'lengthMs' | 'batches'>,
  { latencyMs, clipMs }: ClipPace,
): number {
  const largest = Math.max(0, ...batches.map(({ profitUsd }) => profitUsd));
  if (largest === 0) return clairvoyantUsd;
  const clips = 1 + Math.floor(Math.max(0, lengthMs - latencyMs) / clipMs);
  return Math.min(clairvoyantUsd, clips * largest);
}

function reasonOf(
  event: PlantedEvent,
  { from_ms: fromMs, until_ms: untilMs, profit_usd: profitUsd }: PlantedEvent['windows'][number],
  { batches, triggers, states }: Observed,
  { latencyMs, minProfitUsd }: Rules,
): string {
  if ((untilMs ?? fromMs) - fromMs < latencyMs) return 'shorter than the latency';
  const batch = batches.toSorted((one, other) => one.createdAtMs - other.createdAtMs).at(-1);
  if (batch !== undefined) {
    const bound = batch.boundedBy === null ? '' : `, bounded by ${batch.boundedBy}`;
    return `last batch ${batch.status}${batch.lastError === null ? bound : `: ${batch.lastError}`}`;
  }
  if (Number(profitUsd) < minProfitUsd) return 'makes less than the least profit';
  const [reported] = triggers;
  if (reported !== undefined) {
    const isLate = reported.atMs > (untilMs ?? fromMs);
    return `refused${isLate ? ' after it had ended' : ''}: ${reported.refusal ?? 'no reason given'}`;
  }
  const known = event.event_ids.flatMap((id) => states.get(id) ?? []);
  const sum = (of: (state: EventState) => number) => known.reduce((total, state) => total + of(state), 0);
  if (sum(({ relations }) => relations) === 0) return 'no relation was read';
  if (sum(({ mayTrade }) => mayTrade) === 0) return 'no relation of it may trade';
  if (sum(({ hits }) => hits) === 0) return 'no relation of it ever paid';
  if (sum(({ opportunities }) => opportunities) === 0) return 'paid, and became no opportunity';
  return 'an opportunity, which did not trigger';
}

/** Reasons by cost, each with its total and count; reasons that differ only in figures are one. */
export function groupedReasons(
  windows: readonly JudgedWindow[],
): { reason: string; windows: number; usd: number; example: JudgedWindow }[] {
  const missed = windows.filter(({ reason }) => reason !== null);
  const groups = Map.groupBy(missed, ({ reason, event }) => `${event.kind}: ${patternOf(reason ?? '')}`);
  return [...groups]
    .map(([reason, group]) => ({
      reason,
      windows: group.length,
      usd: group.reduce((sum, { clairvoyantUsd, takenUsd }) => sum + clairvoyantUsd - takenUsd, 0),
      example: group[0] as JudgedWindow,
    }))
    .sort((one, other) => other.usd - one.usd);
}

function patternOf(reason: string): string {
  return reason.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/\d+(?:[.,]\d+)*/g, '#');
}
