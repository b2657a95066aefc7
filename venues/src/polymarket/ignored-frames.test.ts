import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IgnoredFrames } from './ignored-frames.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says the first at once and the others once a minute, with how many of each kind there were', () => {
  const logged: object[] = [];
  const ignored = new IgnoredFrames('market', { log: { info: () => {}, warn: (fields) => void logged.push(fields) } });
  for (let frame = 0; frame < 1000; frame++) ignored.note(frame % 4 === 0 ? 'odd' : 'new');
  expect(logged).toEqual([{ stream: 'market', count: 1, kinds: { odd: 1 } }]);
  vi.advanceTimersByTime(60_000);
  expect(logged.slice(1)).toEqual([{ stream: 'market', count: 999, kinds: { odd: 249, new: 750 } }]);
  vi.advanceTimersByTime(120_000);
  expect(logged).toHaveLength(2);
  for (let frame = 0; frame < 1000; frame++) ignored.note(`made up ${frame}`);
  vi.advanceTimersByTime(60_000);
  expect(logged).toHaveLength(4);
  expect(Object.keys((logged[3] as { kinds: object }).kinds)).toHaveLength(21);
  ignored.close();
});
