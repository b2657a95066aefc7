import { dateFormat, dayWords } from './date-format.ts';

/** A colour of the theme, by the name of its CSS variable. */
export type ThemeColour = `--${string}`;

export type ChartLine = {
  label: string;
  colour: ThemeColour;
  /** One for every x; null where there is nothing to draw. */
  values: readonly (number | null)[];
  axis: 'left' | 'right';
  dashed?: boolean;
  /** A value of the line in words, where the reader points. */
  format: (value: number) => string;
};

export type ChartAxis = {
  range: readonly [number, number];
  /** A tick in words; `decimals` is how many it takes to tell it from the next. */
  format: (value: number, decimals: number) => string;
};

/** What a chart shows, in plain numbers: it is a picture, not an account. */
export type ChartDrawing = {
  /** Rising: milliseconds since 1970 where `xKind` is `time`, else shares or hours of a day. */
  x: readonly number[];
  xKind: 'time' | 'size' | 'hour';
  xRange: readonly [number, number];
  /** `steps`: a value holds until the next one. */
  shape: 'steps' | 'straight';
  lines: readonly ChartLine[];
  /** The place along x whose values are shown until the pointer is at another. */
  restsAt: number;
  left: ChartAxis;
  right?: ChartAxis;
  /** Places along x with a name. */
  verticals?: readonly { x: number; label: string; colour: ThemeColour }[];
  /** Moments on a line of the left axis. */
  dots?: readonly { x: number; y: number; colour: ThemeColour }[];
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const minute = dateFormat({ hour: '2-digit', minute: '2-digit' });
const second = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** A tick along time: the day at midnight, the time between, each distinct from the tick before it. */
export function timeTick(atMs: number, incrementMs: number): string {
  const at = new Date(atMs);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
  if (incrementMs >= DAY_MS || isMidnight) return dayWords(atMs);
  return incrementMs < MINUTE_MS ? second(at) : minute(at);
}

/** Whether ticks of so short a time may stand less than a minute apart: their words are wider. */
export function takesSeconds(spanMs: number): boolean {
  return spanMs < 15 * MINUTE_MS;
}

/** A tick in dollars, signed as everywhere; tenths of a dollar are written as cents. */
export function dollarTick(value: number, decimals: number): string {
  const digits = decimals === 1 ? 2 : decimals;
  const dollars = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? '-' : ''}$${dollars}`;
}

/** Room above and below the values, so that a flat line stands in the middle. `floor` is where values cannot go below. */
export function paddedRange(values: readonly number[], leastSpan: number, floor?: number): [number, number] {
  const lowest = values.length === 0 ? 0 : values.reduce((a, b) => Math.min(a, b));
  const highest = values.length === 0 ? 0 : values.reduce((a, b) => Math.max(a, b));
  const pad = Math.max((highest - lowest) * 0.12, (leastSpan - (highest - lowest)) / 2, 0);
  const low = lowest - pad;
  return [floor === undefined ? low : Math.max(floor, low), highest + pad];
}

/** Widens two ranges until zero stands at the same height in both. */
export function withZeroAligned(ranges: readonly [number, number][]): [number, number][] {
  const withZero = ranges.map(([low, high]): [number, number] => {
    const top = Math.max(high, 0);
    const bottom = Math.min(low, 0);
    return [bottom, top > 0 ? top : Math.max(-bottom * 0.15, 1e-6)];
  });
  const below = Math.max(...withZero.map(([low, high]) => -low / (high - low)));
  return withZero.map(([low, high]) => [Math.min(low, (-high * below) / (1 - below)), high]);
}
