import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { durationWords, type Execution, executionWords, isOver } from './execution-time.ts';

const at = (seconds: number) => instantFromMs(1_700_000_000_000 + seconds * 1_000);

const batch = (part: Partial<Execution>): Execution => ({
  status: 'processing',
  is_final: false,
  execution_started_at: at(0),
  execution_completed_at: null,
  updated_at: at(30),
  ...part,
});

describe('the execution time of a batch', () => {
  it.each([
    ['has not started', { execution_started_at: null }, 'Not started'],
    ['runs: until now', {}, '1m 30s'],
    [
      'is completed: until its completion',
      { status: 'completed', is_final: true, execution_completed_at: at(12) },
      '12s',
    ],
    ['failed without a completion time: until its last update', { status: 'failed' }, '30s'],
    ['was canceled without a completion time: until its last update', { status: 'canceled' }, '30s'],
    ['is final without a completion time: until its last update', { status: 'sold', is_final: true }, '30s'],
    ['waits for a retry: until now', { status: 'retry_pending' }, '1m 30s'],
  ] as const)('that %s', (_what, part, words) => {
    expect(executionWords(batch(part), at(90))).toBe(words);
  });

  it('never runs backwards when the clocks disagree', () => {
    expect(executionWords(batch({}), at(-5))).toBe('0s');
  });
});

it.each([
  [0, '0s'],
  [156, '0.156s'],
  [1_000, '1s'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  [3_599_000, '59m 59s'],
  [3_600_000, '1h 0m'],
  [90_061_000, '25h 1m'],
])('%i ms reads %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});

it('stops the clock of what will not move again', () => {
  expect(isOver(batch({}))).toBe(false);
  expect(isOver(batch({ status: 'failed' }))).toBe(true);
  expect(isOver(batch({ execution_completed_at: at(3) }))).toBe(true);
});
