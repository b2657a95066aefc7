import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Db } from '../runtime/runtime.ts';
import { testTime } from '../runtime/test-time.ts';
import { DatabaseDown, watchDatabase } from './database-down.ts';

/** A database that answers, is frozen or fails, as `state` says. */
function scripted() {
  const held: (() => void)[] = [];
  const database = { state: 'answers' as 'answers' | 'frozen' | 'fails', asked: 0, answered: 0, thaw: () => {} };
  const execute = () => {
    database.asked += 1;
    if (database.state === 'fails') return Promise.reject(new Error('connect ECONNREFUSED'));
    if (database.state === 'answers') return Promise.resolve([]);
    return new Promise((resolve) => held.push(() => resolve([])));
  };
  database.thaw = () => {
    database.state = 'answers';
    for (const answer of held.splice(0)) answer();
  };
  return { database, db: { execute } as unknown as Db };
}

function watched() {
  const time = testTime(async () => {});
  const { database, db } = scripted();
  return {
    time,
    database,
    watch: watchDatabase({
      ...time,
      dbFor: { sessions: db },
      answered: () => database.answered,
      log: pino({ enabled: false }),
    }),
  };
}

describe('a database that is watched', () => {
  it('is silent once three checks in a row had no answer, since the last answer, until it answers', async () => {
    const { time, database, watch } = watched();
    await time.advance(2000);
    expect(watch.silentMs()).toBeNull();
    database.state = 'frozen';
    await time.advance(3000);
    expect(watch.silentMs()).toBeNull();
    await time.advance(9000);
    expect(watch.silentMs()).toBe(12_000);
    database.thaw();
    await time.advance(1000);
    expect(watch.silentMs()).toBeNull();
    watch.stop();
  });

  it('has one question under way at a time while it is frozen', async () => {
    const { time, database, watch } = watched();
    database.state = 'frozen';
    await time.advance(90_000);
    expect(database.asked).toBe(1);
    watch.stop();
  });

  it('answers as long as any statement is answered, though its own question waits behind others', async () => {
    const { time, database, watch } = watched();
    database.state = 'frozen';
    for (let second = 0; second < 20; second += 1) {
      database.answered += 1;
      await time.advance(1000);
    }
    expect(watch.silentMs()).toBeNull();
    expect(await watch.whileItAnswers(Promise.resolve(7))).toBe(7);
    await time.advance(3000);
    expect(watch.silentMs()).toBe(3000);
    database.answered += 1;
    await time.advance(1000);
    expect(watch.silentMs()).toBeNull();
    watch.stop();
  });

  it('is silent also where it cannot be reached, and not where one question fails', async () => {
    const { time, database, watch } = watched();
    database.state = 'fails';
    await time.advance(2000);
    expect(watch.silentMs()).toBeNull();
    await time.advance(1000);
    expect(watch.silentMs()).toBe(3000);
    watch.stop();
  });

  it('ends what waits for it as it falls silent, refuses what comes meanwhile, and passes on every answer in time', async () => {
    const { time, database, watch } = watched();
    expect(await watch.whileItAnswers(Promise.resolve(7))).toBe(7);
    await expect(watch.whileItAnswers(Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    database.state = 'frozen';
    const never = new Promise<never>(() => {});
    const waiting = expect(watch.whileItAnswers(never)).rejects.toThrow(DatabaseDown);
    await time.advance(5000);
    await waiting;
    await expect(watch.whileItAnswers(never)).rejects.toThrow(DatabaseDown);
    watch.stop();
  });
});
