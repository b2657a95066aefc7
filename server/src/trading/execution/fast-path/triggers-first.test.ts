import { describe, expect, it } from 'vitest';
import { testTime } from '../../../platform/runtime/test-time.ts';
import { openTriggersFirst } from './triggers-first.ts';

function openWaiting() {
  const time = testTime(() => new Promise((resolve) => setImmediate(resolve)));
  const triggers = openTriggersFirst(time);
  const done: string[] = [];
  const step = (name: string) => void triggers.clear().then(() => done.push(name));
  return { time, triggers, done, step };
}

describe('steps of earlier batches', () => {
  it('go on at once where no trigger is on its way', async () => {
    const { time, done, step } = openWaiting();
    step('one');
    await time.advance(0);
    expect(done).toEqual(['one']);
  });

  it('wait for every trigger that is on its way', async () => {
    const { time, triggers, done, step } = openWaiting();
    const ends = [triggers.begin(), triggers.begin()];
    step('one');
    ends[0]?.();
    await time.advance(1);
    expect(done).toEqual([]);
    step('two');
    ends[1]?.();
    await time.advance(0);
    expect(done).toEqual(['one', 'two']);
  });

  it('go on once their process stops, and wait no more after it, whatever is on its way', async () => {
    const { triggers, done } = openWaiting();
    triggers.begin();
    const waiting = triggers.clear().then(() => done.push('before'));
    triggers.stop();
    await waiting;
    await triggers.clear();
    expect(done).toEqual(['before']);
  });

  it('go on after 50 ms, however many triggers follow each other', async () => {
    const { time, triggers, done, step } = openWaiting();
    let end = triggers.begin();
    step('one');
    for (let ms = 0; ms < 49; ms += 1) {
      const next = triggers.begin();
      end();
      end = next;
      await time.advance(1);
    }
    expect(done).toEqual([]);
    await time.advance(1);
    expect(done).toEqual(['one']);
  });
});
