import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, hoursOf, NOTHING_WORTH, recordingsToRemove } from './what-goes.ts';

const NOW = instantFromMs(1000 * HOUR_MS);
const FILES = Array.from({ length: 20 }, (_, ago) => fileAt(20 - ago));
const ALL = FILES.length;

/** Of a megabyte, by how many hours ago it was begun. */
function fileAt(ago: number) {
  return { ago, hour: instantFromMs(NOW - ago * HOUR_MS), bytes: 1_000_000 };
}

/** Which go, by how many hours ago they were begun, where so many megabytes may stay. */
function gone(
  megabytes: number,
  {
    traded = [],
    watched = [],
    days = 7,
    stay = [],
  }: { traded?: number[]; watched?: number[]; days?: number; stay?: number[] } = {},
): number[] {
  const hours = (ago: readonly number[]) => new Set(ago.map((each) => fileAt(each).hour));
  const worth = { traded: hours(traded), watched: hours(watched) };
  const limits = { maxBytes: megabytes * 1_000_000, days };
  return recordingsToRemove(FILES, limits, NOW, worth, ({ ago }) => stay.includes(ago)).map(({ ago }) => ago);
}

describe('recordings beyond their limits', () => {
  it('are none where there are no more than may stay', () => {
    expect(gone(ALL)).toEqual([]);
  });

  it('go the oldest first where nothing was traded or watched', () => {
    expect(gone(ALL - 3)).toEqual([20, 19, 18]);
  });

  it('go before those of hours in which something was watched, and these before those in which something was traded', () => {
    const worth = { traded: [20, 17, 9], watched: [19, 18, 17, 9, 8] };
    expect(gone(ALL - 3, worth)).toEqual([16, 15, 14]);
    expect(gone(8, worth)).toEqual([16, 15, 14, 13, 12, 11, 10, 7, 6, 5, 4, 3]);
    expect(gone(6, worth).slice(12)).toEqual([2, 19]);
    expect(gone(3, worth).slice(13)).toEqual([1, 19, 18, 8]);
    expect(gone(2, worth).slice(16)).toEqual([8, 20]);
    // At last the newest as well: the limit holds whatever is in them.
    expect(gone(0, worth)).toHaveLength(ALL);
  });

  it('leave a quarter of the limit to the newest, whatever is in the others', () => {
    const traded = FILES.map(({ ago }) => ago).filter((ago) => ago > 8);
    expect(gone(12, { traded })).toEqual([8, 7, 6, 5, 4, 20, 19, 18]);
  });

  it('go after their days, whatever is in them', () => {
    const traded = FILES.map(({ ago }) => ago);
    expect(gone(ALL, { traded, days: 0.5 })).toEqual([20, 19, 18, 17, 16, 15, 14]);
  });

  it('are not those that must stay, which count', () => {
    expect(gone(ALL - 2, { stay: [20, 19] })).toEqual([18, 17]);
    expect(gone(1, { stay: [20, 19], days: 0.5 })).toHaveLength(ALL - 2);
  });

  it('are worth something by the hours that their readers need', () => {
    const from = 5 * HOUR_MS - 1;
    expect([...hoursOf([{ from, until: 7 * HOUR_MS }])]).toEqual([4, 5, 6, 7].map((hour) => hour * HOUR_MS));
    expect(hoursOf([])).toEqual(NOTHING_WORTH.traded);
  });
});
