/** When the venue trades, by the clocks of New York: always but on Thursdays before five, as its own schedule has it. */
import type { Instant } from '@dutchbook/units/instant.ts';

const DAY = [{ open_time: '00:00', close_time: '23:59' }];
export const SCHEDULE = {
  standard_hours: [
    {
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2027-01-01T00:00:00Z',
      monday: DAY,
      tuesday: DAY,
      wednesday: DAY,
      thursday: [
        { open_time: '00:00', close_time: '03:00' },
        { open_time: '05:00', close_time: '23:59' },
      ],
      friday: DAY,
      saturday: DAY,
      sunday: DAY,
    },
  ],
  maintenance_windows: [],
};

const [WEEK] = SCHEDULE.standard_hours;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Whether a moment is in the hours of the schedule, whose last minute of a day is open to its end. */
export function isOpenAt(at: Instant): boolean {
  const parts = NEW_YORK.formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const day = WEEKDAYS.find((name) => name === of('weekday').toLowerCase());
  const time = `${of('hour')}:${of('minute')}`;
  const hours = day === undefined ? [] : (WEEK?.[day] ?? []);
  return hours.some(({ open_time, close_time }) => open_time <= time && (time < close_time || close_time === '23:59'));
}
