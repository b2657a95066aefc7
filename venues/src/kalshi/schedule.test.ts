import { instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { VenueUnavailable } from '../venue.ts';
import { type ExchangeSchedule, nextPause } from './schedule.ts';
import { Shards } from './shards.ts';

const WHOLE = [{ open_time: '00:00', close_time: '23:59' }];
const THURSDAY = [
  { open_time: '00:00', close_time: '03:00' },
  { open_time: '05:00', close_time: '00:00' },
];
const WEEK = { monday: WHOLE, tuesday: WHOLE, wednesday: WHOLE, thursday: THURSDAY, friday: WHOLE, saturday: WHOLE };
const SCHEDULE: ExchangeSchedule = {
  standard_hours: [{ start_time: '2026-01-01T00:00:00Z', end_time: '2027-01-01T00:00:00Z', ...WEEK, sunday: WHOLE }],
  maintenance_windows: [],
};

const SILENT = { info: () => undefined, warn: () => undefined };

const pauseAt = (now: string, given: Partial<ExchangeSchedule> = {}) => {
  const pause = nextPause({ ...SCHEDULE, ...given }, instantFromIso(now));
  return pause && [instantToIso(pause.from), instantToIso(pause.until)];
};

describe('the next pause of the venue', () => {
  it('is that of Thursday, in the time of New York, in summer and in winter', () => {
    expect(pauseAt('2026-11-29T23:00:00Z')).toEqual(['2026-12-03T08:00:00.000Z', '2026-12-03T10:00:00.000Z']);
    expect(pauseAt('2026-07-08T12:00:00Z')).toEqual(['2026-07-09T07:00:00.000Z', '2026-07-09T09:00:00.000Z']);
    // The clocks are set back between now and then.
    expect(pauseAt('2026-10-30T12:00:00Z')).toEqual(['2026-11-05T08:00:00.000Z', '2026-11-05T10:00:00.000Z']);
  });

  it('is the one that has begun until it is over, and then that of a week later', () => {
    expect(pauseAt('2026-12-03T09:59:59Z')?.[0]).toBe('2026-12-03T08:00:00.000Z');
    expect(pauseAt('2026-12-03T10:00:00Z')?.[0]).toBe('2026-12-10T08:00:00.000Z');
  });

  it('is a maintenance window where that comes first, and none where nothing is scheduled', () => {
    const window = { start_datetime: '2026-12-01T01:00:00Z', end_datetime: '2026-12-01T02:00:00Z' };
    expect(pauseAt('2026-11-29T23:00:00Z', { maintenance_windows: [window] })?.[0]).toBe('2026-12-01T01:00:00.000Z');
    const [week] = SCHEDULE.standard_hours;
    const open = week && [{ ...week, thursday: WHOLE }];
    expect(pauseAt('2026-11-29T23:00:00Z', { standard_hours: open ?? [] })).toBeNull();
    expect(pauseAt('2027-11-29T23:00:00Z')).toBeNull();
  });
});

it('the pause that markets are told is the next one also once the first is over, and is asked for again soon where it was not answered', async () => {
  let now = instantFromIso('2026-12-03T09:58:00Z');
  let isSilent = true;
  const get = async (path: string) => {
    if (isSilent) throw new VenueUnavailable('no answer');
    return path.endsWith('schedule') ? { schedule: SCHEDULE } : { exchange_index_statuses: [] };
  };
  const shards = new Shards({ get }, { now: () => now, log: SILENT });
  const toldAt = async (time: string) => {
    now = instantFromIso(time);
    await shards.refresh('following');
    const pause = shards.nextPause();
    return pause && instantToIso(pause.from);
  };
  expect(await toldAt('2026-12-03T09:58:00Z')).toBeNull();
  isSilent = false;
  expect(await toldAt('2026-12-03T09:59:00Z')).toBe('2026-12-03T08:00:00.000Z');
  expect(await toldAt('2026-12-03T10:00:00Z')).toBe('2026-12-10T08:00:00.000Z');
  isSilent = true;
  expect(await toldAt('2026-12-10T10:00:00Z')).toBe('2026-12-17T08:00:00.000Z');
});
