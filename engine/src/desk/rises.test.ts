import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { FALLEN_AGAIN, isFreeToRecord, noteRise, whyNotBought } from './rises.ts';
import { type OpportunityRow, type Tracked, trackedOf } from './tracked.ts';

const NOW = instantFromMs(1_000_000);

/** Has risen and fallen so often, and stands above its trigger after the last rise. */
function risen(times: number): Tracked {
  const tracked = trackedOf({ id: 'one', triggered: false } as OpportunityRow, []);
  for (let nth = 0; nth < times; nth += 1) {
    tracked.aboveTrigger = false;
    tracked.row = { ...tracked.row, errorCount: nth };
    noteRise(tracked, [], NOW);
  }
  return tracked;
}

const seenBy = ({ rises }: Tracked) => rises.map(({ row }) => row.errorCount);

it('is recorded by what was seen of it last, unless it is being recorded, and those before it stay', () => {
  const tracked = risen(3);
  tracked.row = { ...tracked.row, errorCount: 9 };
  expect(noteRise(tracked, [], NOW)).toBeNull();
  expect(seenBy(tracked)).toEqual([0, 1, 9]);
  const waitsSince = risen(3).rises.map((rise, nth) => ({ ...rise, seenAt: instantFromMs(NOW + nth) }));
  const recording = { ...risen(3), isTriggering: true, rises: waitsSince };
  noteRise(recording, [], NOW);
  expect(recording.rises.map(({ seenAt }) => seenAt - NOW)).toEqual([0, 1, 2]);
  const only = { ...risen(1), isTriggering: true };
  only.row = { ...only.row, errorCount: 9 };
  noteRise(only, [], NOW);
  expect(seenBy(only)).toEqual([0]);
});

it('is dropped where a hundred wait already', () => {
  const tracked = risen(99);
  tracked.aboveTrigger = false;
  expect(noteRise(tracked, [], NOW)).toMatchObject({ seenAt: NOW });
  tracked.aboveTrigger = false;
  expect(noteRise(tracked, [], NOW)).toBe('dropped');
  expect([tracked.rises.length, tracked.aboveTrigger]).toEqual([100, true]);
});

it('is free to be recorded where one waits, none is being recorded and its moment has come', () => {
  const later = (retryTriggerAt: number) => ({ ...risen(1), retryTriggerAt: retryTriggerAt as Instant });
  expect(isFreeToRecord(risen(0), NOW)).toBe(false);
  expect(isFreeToRecord(risen(1), NOW)).toBe(true);
  expect(isFreeToRecord({ ...risen(1), isTriggering: true }, NOW)).toBe(false);
  expect(isFreeToRecord(later(NOW), NOW)).toBe(true);
  expect(isFreeToRecord(later(NOW + 1), NOW)).toBe(false);
});

it('is not bought once the profit has fallen again, and says so', () => {
  expect(whyNotBought(risen(1), true)).toBeNull();
  expect(whyNotBought(risen(1), false)).toEqual([]);
  expect(whyNotBought(risen(2), true)).toEqual(['The profit has fallen below the trigger again.']);
  expect(whyNotBought({ ...risen(1), aboveTrigger: false }, true)).toEqual([FALLEN_AGAIN]);
});
