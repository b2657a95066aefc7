import { type Feed, isPriceError, type Opportunity } from '@dutchbook/contract/opportunities.ts';
import { HISTORY_DAYS, type HistoryPoint } from '@dutchbook/contract/valuation.ts';
import { formatPrice, priceToNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { type ChartDrawing, paddedRange } from '../../ui/chart-drawing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const HISTORY_RANGES = [
  { value: '1h', label: '1 h', words: 'hour', spanMs: HOUR_MS },
  { value: '24h', label: '24 h', words: '24 hours', spanMs: DAY_MS },
  { value: '7d', label: '7 d', words: '7 days', spanMs: 7 * DAY_MS },
  { value: '30d', label: `${HISTORY_DAYS} d`, words: `${HISTORY_DAYS} days`, spanMs: HISTORY_DAYS * DAY_MS },
] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/** An hour of an opportunity that is not older, else a day. */
export function firstRange({ created_at }: Pick<Opportunity, 'created_at'>, nowMs: number): HistoryRange {
  const [hour, day] = HISTORY_RANGES;
  return nowMs - created_at < hour.spanMs ? hour : day;
}

/** A flat line should not be blown up into a mountain range. */
const LEAST_SPAN_USD = 0.02;

const TRUSTED: readonly Feed[] = ['live', 'verified', 'polled'];

/** What is known of the prices at this moment, as a point of the history; undefined before the first check. */
export function livePoint(opportunity: Opportunity): HistoryPoint | undefined {
  const { last_checked, current_price, target_price, profit_percentage, triggered } = opportunity;
  if (last_checked === null) return undefined;
  const priced = !isPriceError(opportunity.last_error);
  return {
    at: last_checked,
    current_price: priced ? current_price : null,
    target_price,
    profit_percentage: priced ? profit_percentage : null,
    triggered,
  };
}

type Priced = Pick<Opportunity, 'last_error'> & { positions: readonly { feed: Feed }[] };

/** Whether the last price still stands now: only while every position has a book that can be believed. */
export function holdsUntilNow({ last_error, positions }: Priced): boolean {
  return !isPriceError(last_error) && positions.every(({ feed }) => TRUSTED.includes(feed));
}

/** The recorded prices and, after them, what came over the stream since; oldest first, one for a moment. */
export function withLive(recorded: readonly HistoryPoint[], live: readonly HistoryPoint[]): HistoryPoint[] {
  const lastAt = recorded.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return [...recorded, ...live.filter(({ at }) => at > lastAt)];
}

/** The points since `fromMs` at which the opportunity began to pay enough. What stood before leads the points. */
function triggersOf(points: readonly HistoryPoint[], fromMs: number): HistoryPoint[] {
  return points.filter(
    ({ at, triggered }, index) => at >= fromMs && triggered && points[index - 1]?.triggered !== true,
  );
}

/** Current against target price over a range that ends now. A price holds until the next; where there was none is a gap. */
export function historyDrawing(
  points: readonly HistoryPoint[],
  { spanMs, nowMs, holds }: { spanMs: number; nowMs: number; holds: boolean },
): ChartDrawing {
  const steps = stepsOf(points, holds ? nowMs : undefined);
  const fromMs = nowMs - spanMs;
  const shown = steps.filter(({ at }, index) => at >= fromMs || (steps[index + 1]?.at ?? 0) > fromMs);
  const prices = shown.flatMap(({ current, target }) => (current === null ? [target] : [current, target]));
  const format = (value: number) => formatPrice(setPriceFromNumber(value));
  return {
    x: steps.map(({ at }) => at),
    xKind: 'time',
    xRange: [fromMs, Math.max(nowMs, steps.at(-1)?.at ?? 0)],
    shape: 'steps',
    restsAt: steps.length - 1,
    lines: [
      { label: 'Current', colour: '--accent', values: steps.map(({ current }) => current), axis: 'left', format },
      {
        label: 'Target',
        colour: '--ink-muted',
        values: steps.map(({ target }) => target),
        axis: 'left',
        dashed: true,
        format,
      },
    ],
    left: {
      range: paddedRange(prices, LEAST_SPAN_USD, 0),
      format: (value, decimals) => value.toFixed(Math.max(2, decimals)),
    },
    dots: triggersOf(points, fromMs).flatMap(({ at, current_price }) =>
      current_price === null ? [] : [{ x: at, y: priceToNumber(current_price), colour: '--active-ink' as const }],
    ),
  };
}

type Step = { at: number; current: number | null; target: number };

/** A price ends where the next point has none, and the last one is drawn on to `untilMs`. */
function stepsOf(points: readonly HistoryPoint[], untilMs: number | undefined): Step[] {
  const steps: Step[] = [];
  for (const { at, current_price, target_price } of points) {
    const current = current_price === null ? null : priceToNumber(current_price);
    const target = priceToNumber(target_price);
    const before = steps.at(-1);
    if (current === null && before !== undefined && before.current !== null && before.at < at - 1)
      steps.push({ ...before, at: at - 1 });
    steps.push({ at, current, target });
  }
  const last = steps.at(-1);
  if (last !== undefined && untilMs !== undefined && untilMs > last.at) steps.push({ ...last, at: untilMs });
  return steps;
}

/** What the drawing says, in a sentence. */
export function historySummary(points: readonly HistoryPoint[], words: string, fromMs: number): string {
  const prices = points.flatMap(({ current_price }) => (current_price === null ? [] : [current_price]));
  const target = points.at(-1)?.target_price;
  if (prices.length === 0 || target === undefined) return `It could not be priced in the last ${words}.`;
  const lowest = prices.reduce((a, b) => (b < a ? b : a));
  const highest = prices.reduce((a, b) => (b > a ? b : a));
  const between =
    lowest === highest
      ? `stood at ${formatPrice(lowest)}`
      : `moved between ${formatPrice(lowest)} and ${formatPrice(highest)}`;
  const triggers = triggersOf(points, fromMs).length;
  const gaps = points.filter(
    ({ current_price }, index) => current_price === null && index > 0 && points[index - 1]?.current_price !== null,
  ).length;
  return [
    `In the last ${words} the current price ${between}, against a target of ${formatPrice(target)}.`,
    triggers === 0 ? 'It did not trigger.' : `It triggered ${timesOf(triggers)}.`,
    ...(gaps === 0 ? [] : [`It could not be priced ${timesOf(gaps)}.`]),
  ].join(' ');
}

const timesOf = (count: number) => ({ 1: 'once', 2: 'twice' })[count] ?? `${count} times`;
