import { expect, it } from 'vitest';
import { openSingleFlight } from './single-flight.ts';

/** A read that says each time it begins, and ends when the test says so. */
function heldRead() {
  const begun: PromiseWithResolvers<string>[] = [];
  const waiting: (() => void)[] = [];
  return {
    read: () => {
      const one = Promise.withResolvers<string>();
      begun.push(one);
      for (const go of waiting.splice(0)) go();
      return one.promise;
    },
    times: async (count: number) => {
      while (begun.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return begun[count - 1] as PromiseWithResolvers<string>;
    },
    count: () => begun.length,
  };
}

it('reads once for all who ask at the same time, and again for those who ask after it has begun', async () => {
  const reads = openSingleFlight();
  const { read, times, count } = heldRead();
  const early = [reads('page', read), reads('page', read)];
  const first = await times(1);
  const late = [reads('page', read), reads('page', read)];
  first.resolve('before');
  const second = await times(2);
  const latest = reads('page', read);
  second.resolve('after');
  (await times(3)).resolve('at last');
  expect(await Promise.all([...early, ...late, latest])).toEqual(['before', 'before', 'after', 'after', 'at last']);
  expect(count()).toBe(3);
});

it('tells a failure to those who shared it, and reads anew for the next', async () => {
  const reads = openSingleFlight();
  const { read, times } = heldRead();
  const failed = Promise.allSettled([reads('page', read), reads('page', read)]);
  const first = await times(1);
  const next = reads('page', read);
  first.reject(new Error('gone'));
  (await times(2)).resolve('back');
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toBe('back');
});

it('lets no caller wait for a reading that hangs', async () => {
  const reads = openSingleFlight(1);
  const { read, times } = heldRead();
  const hanging = reads('page', read);
  const hung = await times(1);
  const late = reads('page', read);
  (await times(2)).resolve('read');
  expect(await late).toBe('read');
  hung.resolve('at last');
  expect(await hanging).toBe('at last');
  const latest = reads('page', read);
  (await times(3)).resolve('read again');
  expect(await latest).toBe('read again');
});

it('keeps what differs apart', async () => {
  const reads = openSingleFlight();
  const answers = await Promise.all(['one', 'other'].map((key) => reads(key, async () => key)));
  expect(answers).toEqual(['one', 'other']);
});
