import { instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { BATCH_LIFE, type BatchStatus } from '../batch/life.ts';
import { type ClipSettings, clipsMaxOf, isNextClipDue, pauseOf, SERIES_MS, whyNoMore } from './next-clip.ts';

const FREE = { cancelRequested: false, isUneven: false, isDisarmedSince: false };
const WHOLE = { ...FREE, status: 'completed', clips: 1 } as const;
const PAYS = { active: true, triggered: true };
const IN_CLIPS: ClipSettings = {
  size: { kind: 'best', clip: usdFromNumber(100), lossAllowance: usdFromNumber(25), clipsMax: 3 },
  placesAutomatically: true,
};

it.each([
  { state: WHOLE, due: true },
  { state: { ...WHOLE, cancelRequested: true }, due: false },
  { state: { ...WHOLE, isUneven: true }, due: false },
  { state: { ...WHOLE, isDisarmedSince: true }, due: false },
  { state: { ...WHOLE, clips: 2 }, due: true },
  { state: { ...WHOLE, clips: 3 }, due: false },
])('of three clips at most, the next one after $state is due: $due', ({ state, due }) => {
  expect(isNextClipDue(state, PAYS, IN_CLIPS)).toBe(due);
});

it('is not due of what does not pay, is not active, or is bought by hand or in one order', () => {
  expect(isNextClipDue(WHOLE, { ...PAYS, triggered: false }, IN_CLIPS)).toBe(false);
  expect(isNextClipDue(WHOLE, { ...PAYS, active: false }, IN_CLIPS)).toBe(false);
  expect(isNextClipDue(WHOLE, PAYS, { ...IN_CLIPS, placesAutomatically: false })).toBe(false);
  expect(isNextClipDue(WHOLE, PAYS, { ...IN_CLIPS, size: { ...IN_CLIPS.size, kind: 'smallest' } })).toBe(false);
});

it('follows a batch that is whole, or was sold since, and no other', () => {
  const followed = (Object.keys(BATCH_LIFE) as BatchStatus[]).filter((status) =>
    isNextClipDue({ ...WHOLE, status }, PAYS, IN_CLIPS),
  );
  expect(followed).toEqual(['completed', 'sold']);
});

it.each([
  { state: WHOLE, why: null },
  { state: { ...WHOLE, status: 'processing' }, why: null },
  {
    state: { ...WHOLE, isUneven: true },
    why: 'A clip of it holds shares of some positions without the rest of their set',
  },
  { state: { ...WHOLE, status: 'failed' }, why: 'Its last clip was not filled whole' },
  { state: { ...WHOLE, cancelRequested: true }, why: 'The end of its last clip was asked for' },
  { state: { ...WHOLE, isDisarmedSince: true }, why: 'Trading was disarmed after its last clip' },
  {
    state: { ...WHOLE, clips: 3 },
    why: 'As many clips in a row were bought as CLIPS_MAX allows (3 of 3); more are bought once',
  },
] as const)('says in a sentence why no more is bought after $state: $why', ({ state, why }) => {
  if (why === null) expect(whyNoMore(state, IN_CLIPS)).toBeNull();
  else expect(whyNoMore(state, IN_CLIPS)).toContain(why);
});

it('says that nothing is placed automatically only where that is switched off', () => {
  expect(whyNoMore(WHOLE, { ...IN_CLIPS, placesAutomatically: false })).toMatch(/AUTO_PLACE_ORDER_ENABLED/);
  expect(whyNoMore(WHOLE, { ...IN_CLIPS, size: { ...IN_CLIPS.size, kind: 'smallest' } })).toMatch(/SIZE_POLICY/);
});

const NOW = instantFromMs(10 * SERIES_MS);
const OPEN = { lastEndedAt: instantFromMs(NOW - SERIES_MS), clipsMax: 3 };
const OFF: ClipSettings = { ...IN_CLIPS, placesAutomatically: false };
const RAISED: ClipSettings = { ...IN_CLIPS, size: { ...IN_CLIPS.size, clipsMax: 9 } };

it.each([
  { state: WHOLE, why: null },
  { state: { ...WHOLE, status: 'processing', isUneven: true }, why: 'under way' },
  { state: { ...WHOLE, status: 'partial_completed', isUneven: true }, why: 'uneven' },
  { state: { ...WHOLE, status: 'partial_completed' }, why: 'not whole' },
  { state: { ...WHOLE, status: 'processing', cancelRequested: true }, why: 'canceled' },
  { state: { ...WHOLE, isDisarmedSince: true }, why: 'disarmed' },
  { state: { ...WHOLE, isDisarmedSince: true, clips: 3 }, why: 'clips max' },
  { state: { ...WHOLE, clips: 3 }, why: 'clips max' },
] as const)('says why no further clip follows $state: $why, whatever was switched since', ({ state, why }) => {
  const ended = { ...state, ...OPEN };
  expect(pauseOf(ended, PAYS, IN_CLIPS, NOW)).toBe(why);
  expect(pauseOf(ended, PAYS, OFF, NOW)).toBe(why ?? 'switched off');
  const idle = { ...ended, lastEndedAt: instantFromMs(NOW - SERIES_MS - 1) };
  expect(pauseOf(idle, PAYS, IN_CLIPS, NOW)).toBe(why ?? 'quiet');
  expect(pauseOf(idle, PAYS, OFF, NOW)).toBe(why ?? 'quiet');
  expect(pauseOf(ended, { ...PAYS, triggered: false }, IN_CLIPS, NOW)).toBe(why ?? 'below trigger');
  expect(pauseOf(ended, { ...PAYS, active: false }, IN_CLIPS, NOW)).toBe(why ?? 'inactive');
});

it.each([
  { settings: RAISED, while: 'it pays', judged: PAYS, why: null, most: 9 },
  { settings: RAISED, while: 'it pays no more', judged: { ...PAYS, triggered: false }, why: 'clips max', most: 3 },
  { settings: RAISED, while: 'it is not active', judged: { ...PAYS, active: false }, why: 'clips max', most: 3 },
  { settings: { ...RAISED, placesAutomatically: false }, while: 'it pays', judged: PAYS, why: 'clips max', most: 3 },
])('after three clips of three it may have $most once that is $settings.size.clipsMax, while $while', (row) => {
  const full = { ...WHOLE, ...OPEN, clips: 3 };
  expect(pauseOf(full, row.judged, row.settings, NOW)).toBe(row.why);
  expect(clipsMaxOf(full, row.judged, row.settings, NOW)).toBe(row.most);
});

it('has as few as are allowed now only while another one could be bought', () => {
  const lowered: ClipSettings = { ...IN_CLIPS, size: { ...IN_CLIPS.size, clipsMax: 1 } };
  const two = { ...WHOLE, ...OPEN, clips: 2 };
  expect(pauseOf(two, PAYS, lowered, NOW)).toBe('clips max');
  expect(pauseOf(two, { ...PAYS, triggered: false }, lowered, NOW)).toBe('below trigger');
});
