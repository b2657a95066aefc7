/** When the venue will take no orders for a while, by its own schedule. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { z } from 'zod';
import { readTime } from './wire.ts';

const session = z.object({ open_time: z.string(), close_time: z.string() });
const sessions = z.array(session).max(20);
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export const exchangeSchedule = z.object({
  schedule: z.object({
    standard_hours: z
      .array(
        z.object({
          start_time: z.string(),
          end_time: z.string(),
          ...{ sunday: sessions, monday: sessions, tuesday: sessions, wednesday: sessions },
          ...{ thursday: sessions, friday: sessions, saturday: sessions },
        }),
      )
      .max(50),
    maintenance_windows: z.array(z.object({ start_datetime: z.string(), end_datetime: z.string() })).max(200),
  }),
});
export type ExchangeSchedule = z.infer<typeof exchangeSchedule>['schedule'];

export type Pause = { from: Instant; until: Instant };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A day that ends at 23:59 goes on with the next one. */
const SHORTEST_MS = 2 * MINUTE_MS;
/** A week, and the days on both sides of it. */
const DAYS_LOOKED_AT = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Hours are written in the time of New York. */
const ZONE = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'America/New_York', hourCycle: 'h23' },
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
});
const TIME = /^(\d{1,2}):(\d{2})$/;

/** The first pause that has not ended, of the hours of a week and of any maintenance ahead; null where there is none. */
export function nextPause({ standard_hours, maintenance_windows }: ExchangeSchedule, now: Instant): Pause | null {
  const maintenance = maintenance_windows.flatMap(({ start_datetime, end_datetime }): Pause[] => {
    const [from, until] = [readTime(start_datetime), readTime(end_datetime)];
    return from === null || until === null || until <= from ? [] : [{ from, until }];
  });
  const week = standard_hours.find(({ start_time, end_time }) => {
    const [from, until] = [readTime(start_time), readTime(end_time)];
    return from !== null && until !== null && from <= now && now < until;
  });
  const gaps = week === undefined ? [] : gapsBetween(openHours(week, now));
  const ahead = [...maintenance, ...gaps].filter(({ until }) => until > now);
  return ahead.toSorted((one, other) => one.from - other.from)[0] ?? null;
}

type Week = ExchangeSchedule['standard_hours'][number];

function openHours(week: Week, now: Instant): Pause[] {
  const { midnight } = shownAt(now);
  return DAYS_LOOKED_AT.flatMap((days) => {
    const date = midnight + days * DAY_MS;
    const name = DAYS[new Date(date).getUTCDay()] ?? 'sunday';
    return week[name].flatMap(({ open_time, close_time }): Pause[] => {
      const [from, until] = [minutesOf(open_time), minutesOf(close_time)];
      if (from === null || until === null) return [];
      const at = (minutes: number) => instantShown(date + minutes * MINUTE_MS);
      // Midnight at the end of a day is written as its beginning.
      return [{ from: at(from), until: at(until <= from ? until + DAY_MS / MINUTE_MS : until) }];
    });
  }).toSorted((one, other) => one.from - other.from);
}

function gapsBetween(open: readonly Pause[]): Pause[] {
  return open.flatMap(({ until }, place) => {
    const next = open[place + 1];
    return next === undefined || next.from - until < SHORTEST_MS ? [] : [{ from: until, until: next.from }];
  });
}

function minutesOf(text: string): number | null {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** What the clocks of New York show, as if they were those of UTC. */
function shownAt(ms: number): { midnight: number; at: number } {
  const parts = new Map(ZONE.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const midnight = Date.UTC(of('year'), of('month') - 1, of('day'));
  return { midnight, at: midnight + (of('hour') * 60 + of('minute')) * MINUTE_MS };
}

/** The moment at which they show this. */
function instantShown(shown: number): Instant {
  const offsetAt = (ms: number) => shownAt(ms).at - ms;
  const guessed = shown - offsetAt(shown);
  return instantFromMs(shown - offsetAt(guessed));
}
