import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { pipelined } from './pipelined.ts';

const add = (n: number) => sql`insert into numbers values (${n})`;
const kept = sql`select n from numbers order by n`;

async function openNumbers() {
  const test = await openTestRuntime();
  const db = test.runtime.priorityDb;
  await db.execute(sql`create table numbers (n integer primary key)`);
  const numbers = async () => ((await db.execute(kept)) as unknown as { rows: { n: number }[] }).rows.map(({ n }) => n);
  return { db, numbers, [Symbol.asyncDispose]: test.close };
}

describe('a transaction whose statements leave together', () => {
  it('carries them out in the order they were sent, and each sees those before it', async () => {
    await using test = await openNumbers();
    const seen = await pipelined(test.db, async ({ send, commitWith }) => {
      void send(add(1));
      const first = send(kept);
      void send(add(2));
      const second = send(kept);
      await commitWith([add(3)]);
      return [await first, await second];
    });
    expect(seen).toEqual([[{ n: 1 }], [{ n: 1 }, { n: 2 }]]);
    expect(await test.numbers()).toEqual([1, 2, 3]);
  });

  it.each([
    ['the last', [add(1), add(1)]],
    ['one before the last', [add(1), add(1), add(2)]],
  ])('keeps nothing where %s fails, though the commit was sent with it, and says why', async (_, last) => {
    await using test = await openNumbers();
    await expect(pipelined(test.db, ({ commitWith }) => commitWith(last))).rejects.toThrow('duplicate key');
    expect(await test.numbers()).toEqual([]);
  });

  it('commits nothing after a statement whose failure was not read', async () => {
    await using test = await openNumbers();
    const work = pipelined(test.db, async ({ send, commitWith }) => {
      void send(sql`select 1 / ${0}::integer`);
      await commitWith([]);
    });
    await expect(work).rejects.toThrow('taken back');
    expect(await test.numbers()).toEqual([]);
  });

  it.each([
    ['does not commit', async () => 'seen'],
    ['throws', async () => Promise.reject(new Error('refused'))],
  ])('keeps nothing where the work %s, and gives the connection back', async (_, end) => {
    await using test = await openNumbers();
    for (let nth = 0; nth < 5; nth += 1) {
      const work = pipelined(test.db, async ({ send }) => {
        await send(add(nth));
        return await end();
      });
      await work.catch((error: Error) => expect(error.message).toBe('refused'));
    }
    expect(await test.numbers()).toEqual([]);
  });
});
