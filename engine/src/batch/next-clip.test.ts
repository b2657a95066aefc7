import { expect, it } from 'vitest';
import { BATCH_LIFE, type BatchStatus } from './life.ts';
import { isNextClipDue } from './next-clip.ts';

const WHOLE = { status: 'completed', cancelRequested: false, isUneven: false, clips: 1 } as const;

it.each([
  { state: WHOLE, due: true },
  { state: { ...WHOLE, cancelRequested: true }, due: false },
  { state: { ...WHOLE, isUneven: true }, due: false },
  { state: { ...WHOLE, clips: 2 }, due: true },
  { state: { ...WHOLE, clips: 3 }, due: false },
])('of three clips at most, the next one after $state is due: $due', ({ state, due }) => {
  expect(isNextClipDue(state, 3)).toBe(due);
});

it('follows a batch that is whole, or was sold since, and no other', () => {
  const followed = (Object.keys(BATCH_LIFE) as BatchStatus[]).filter((status) =>
    isNextClipDue({ ...WHOLE, status }, 2),
  );
  expect(followed).toEqual(['completed', 'sold']);
});
