import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestRuntime } from './test-runtime.ts';

it('time that has passed has finished all background work: what was published, what listeners then asked and published', async () => {
  await using test = await openTestRuntime();
  const { db, pubsub, timers } = test.runtime;
  const asked = async () => void (await db.execute(sql`select pg_sleep(0.1)`));
  const done: string[] = [];
  const follow = async () => {
    await asked();
    done.push('followed');
    await pubsub.publish(db, 'settings_changed');
  };
  pubsub.subscribe('cache_cleared', () => void follow());
  pubsub.subscribe('settings_changed', () => void asked().then(() => done.push('received')));
  timers.after(1000, () => void pubsub.publish(db, 'cache_cleared'));
  timers.after(1001, () => void done.push('next timer'));
  await test.time.advance(2000);
  expect(done).toEqual(['followed', 'received', 'next timer']);
});

it('time that leaps has run once what fell due meanwhile, in order, and begins to wait again from then on', async () => {
  await using test = await openTestRuntime();
  const { clock, timers } = test.runtime;
  const begin = clock.now();
  const done: string[] = [];
  const note = (what: string) => void done.push(`${what} at ${clock.now() - begin}`);
  timers.every(1000, () => note('often'));
  timers.after(2500, () => note('once'));
  await test.time.leap(60_000);
  await test.time.advance(1000);
  await test.time.leap(10_000, 5000);
  expect(done).toEqual(['often at 60000', 'once at 60000', 'often at 61000', 'often at 66000', 'often at 71000']);
});
