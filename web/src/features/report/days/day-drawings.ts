/** The days of the report as lines. */
import type { ReportDay } from '@dutchbook/contract/report.ts';
import { formatUsd, type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import {
  type ChartDrawing,
  type ChartLine,
  dollarTick,
  paddedRange,
  type ThemeColour,
} from '../../../ui/chart-drawing.ts';
import { sumOf } from '../figures.ts';
import type { DayBy } from '../report-search.ts';

/** A flat line should not be blown up into a mountain range. */
const LEAST_SPAN_USD = 1;
const LEAST_SPAN_MS = 60_000;

/** What a day brought: what became cash on it, or what was locked in on it, paid since or not. */
export function profitOf({ paid_usd, locked_usd }: Pick<ReportDay, 'paid_usd' | 'locked_usd'>, by: DayBy): Usd {
  return by === 'cash' ? paid_usd : ((paid_usd + locked_usd) as Usd);
}

/** The midnight of the reader's calendar with which a day of the report stands on an axis. */
export function midnightOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** What had become cash by the end of each day; of the day that has not ended, until now. */
export function paidDrawing(days: readonly ReportDay[], nowMs: number): ChartDrawing {
  return linesOver(days, nowMs, [lineOf('Paid', '--accent', runningSums(days.map(({ paid_usd }) => paid_usd)))]);
}

/** What fees and slippage had taken by the end of each day; of the day that has not ended, until now. */
export function costDrawing(days: readonly ReportDay[], nowMs: number): ChartDrawing {
  return linesOver(days, nowMs, [
    lineOf('Fees', '--warning-ink', runningSums(days.map(({ fees_usd }) => fees_usd))),
    lineOf('Slippage', '--active-ink', runningSums(days.map(({ slippage_usd }) => slippage_usd))),
  ]);
}

function runningSums(amounts: readonly Usd[]): number[] {
  let sum = 0;
  return amounts.map((amount) => {
    sum += amount;
    return usdToNumber(sum as Usd);
  });
}

const usdWords = (value: number) => formatUsd(usdFromNumber(value));

function lineOf(label: string, colour: ThemeColour, values: number[]): ChartLine {
  return { label, colour, values, axis: 'left', format: usdWords };
}

/** The midnight that ends it, or now while it has not ended: a day of the reader's calendar may have 23 or 25 hours. */
function endOf(day: string, nowMs: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const passed = Math.max(nowMs - Date.UTC(year, month - 1, date), LEAST_SPAN_MS);
  return Math.min(new Date(year, month - 1, date + 1).getTime(), midnightOf(day) + passed);
}

/** With which day a point of the lines is called. */
export function dayAt(days: readonly ReportDay[], at: number): number {
  const last = days.findLast(({ day }) => midnightOf(day) <= at) ?? days[0];
  return last === undefined ? at : midnightOf(last.day);
}

/** A step for each day, as high as the sum at its end: when within a day it grew is not known. */
function linesOver(days: readonly ReportDay[], nowMs: number, lines: readonly ChartLine[]): ChartDrawing {
  const begins = days.map(({ day }) => midnightOf(day));
  const [first = 0] = begins;
  const end = endOf(days.at(-1)?.day ?? '', nowMs);
  return {
    x: [...begins, end],
    xKind: 'time',
    xRange: [first, end],
    shape: 'steps',
    restsAt: days.length,
    lines: lines.map((line) => ({ ...line, values: [...line.values, line.values.at(-1) ?? 0] })),
    left: {
      range: paddedRange([0, ...lines.flatMap(({ values }) => values.flatMap((value) => value ?? []))], LEAST_SPAN_USD),
      format: dollarTick,
    },
  };
}

/** What is said where no day has anything. */
export function nothingBy(by: DayBy): string {
  return by === 'cash'
    ? 'Nothing has become cash yet: what is locked does once it is sold, converted or resolved.'
    : 'Nothing has been locked in yet.';
}

/** What fees and slippage took of all batches, cash or not. */
export function costSummary(days: readonly ReportDay[]): string {
  const fees = formatUsd(sumOf(days, ({ fees_usd }) => fees_usd));
  const slippage = formatUsd(sumOf(days, ({ slippage_usd }) => slippage_usd));
  return `Of all batches, fees took ${fees} and slippage ${slippage}.`;
}

/** What the curve of what is paid says, in a sentence. */
export function paidSummary(days: readonly ReportDay[]): string {
  const best = days.reduce<ReportDay | undefined>(
    (most, day) => (most === undefined || day.paid_usd > most.paid_usd ? day : most),
    undefined,
  );
  if (best === undefined) return nothingBy('cash');
  const all = sumOf(days, ({ paid_usd }) => paid_usd);
  const extreme =
    best.paid_usd > 0
      ? `the best was ${best.day} with ${formatUsd(best.paid_usd)}`
      : `none made a profit; the closest to one was ${best.day} with ${formatUsd(best.paid_usd)}`;
  return `${formatUsd(all)} by ${days.length === 1 ? 'one day' : `${days.length} days`}; ${extreme}.`;
}
