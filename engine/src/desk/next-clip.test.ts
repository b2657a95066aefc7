import { instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { BATCH_LIFE, type BatchStatus } from '../batch/life.ts';
import { type ClipSettings, isNextClipDue, pauseOf, SERIES_MS, whyNoMore } from './next-clip.ts';

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

it.each([
  { state: WHOLE, why: null },
  { state: { ...WHOLE, status: 'processing', isUneven: true }, why: 'under way' },
  { state: { ...WHOLE, status: 'partial_completed', isUneven: true }, why: 'uneven' },
  { state: { ...WHOLE, status: 'partial_completed' }, why: 'not whole' },
  { state: { ...WHOLE, status: 'processing', cancelRequested: true }, why: 'canceled' },
  { state: { ...WHOLE, isDisarmedSince: true, clips: 3 }, why: 'disarmed' },
  { state: { ...WHOLE, clips: 3 }, why: 'clips max' },
] as const)('says why no further clip follows $state: $why', ({ state, why }) => {
  const ended = { ...state, lastEndedAt: instantFromMs(NOW - SERIES_MS) };
  expect(pauseOf(ended, PAYS, IN_CLIPS, NOW)).toBe(why);
  expect(pauseOf(ended, PAYS, { ...IN_CLIPS, placesAutomatically: false }, NOW)).toBe('switched off');
  const idle = { ...state, lastEndedAt: instantFromMs(NOW - SERIES_MS - 1) };
  expect(pauseOf(idle, PAYS, IN_CLIPS, NOW)).toBe(why ?? 'quiet');
  expect(pauseOf(ended, { ...PAYS, triggered: false }, IN_CLIPS, NOW)).toBe(why ?? 'below trigger');
  expect(pauseOf(ended, { ...PAYS, active: false }, IN_CLIPS, NOW)).toBe(why ?? 'inactive');
});
