import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { BATCH_LIFE, type BatchStatus } from '../batch/life.ts';
import { type ClipSettings, isNextClipDue } from './next-clip.ts';

const WHOLE = { status: 'completed', cancelRequested: false, isUneven: false, clips: 1 } as const;
const PAYS = { active: true, triggered: true };
const IN_CLIPS: ClipSettings = {
  size: { kind: 'best', clip: usdFromNumber(100), lossAllowance: usdFromNumber(25), clipsMax: 3 },
  placesAutomatically: true,
};

it.each([
  { state: WHOLE, due: true },
  { state: { ...WHOLE, cancelRequested: true }, due: false },
  { state: { ...WHOLE, isUneven: true }, due: false },
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
