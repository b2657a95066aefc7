import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedClient } from './embedded-client.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';

/** Some hundred milliseconds of work. */
const LONG = 'select count(*) from generate_series(1, 2000000)';
const TURNS_MIN = 20;
/** More than is there to begin with for what one thread says to the other. */
const LETTERS = 5_000_000;

let folder: string;
let client: EmbeddedClient;
let release: () => void;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-thread-'));
  ({ client, release } = await openEmbeddedDatabase(folder));
  await client.exec('create table sums (name text primary key, cents int)');
});
afterAll(async () => {
  await client.close();
  release();
  rmSync(folder, { recursive: true });
});

describe('the embedded database in its thread', () => {
  it('holds up nothing else while it works on a statement', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    await client.query(LONG);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(TURNS_MIN);
  });

  it('says what is wrong with a statement, and takes the next one', async () => {
    await expect(client.query('select * from nowhere')).rejects.toMatchObject({ severity: 'ERROR', code: '42P01' });
    await expect(client.exec('select 1; select 1 / 0')).rejects.toThrow('division by zero');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('leaves nobody else in a transaction that was begun by hand and failed', async () => {
    const failing = client.exec('begin; select 1 / 0; commit');
    const others = [client.query('select 1 as one'), client.transaction((tx) => tx.query('select 1 as one'))];
    await expect(failing).rejects.toThrow('division by zero');
    for (const { rows } of await Promise.all(others)) expect(rows).toEqual([{ one: 1 }]);
  });

  it('keeps all of a transaction or none of it, while others ask', async () => {
    const failing = client.transaction(async (tx) => {
      await tx.query("insert into sums values ('lost', 1)");
      await tx.query('select 1 / 0');
    });
    const [kept, count] = await Promise.all([
      client.transaction(async (tx) => {
        await tx.query("insert into sums values ('kept', 2)");
        return (await tx.query('select name from sums')).rows;
      }),
      client.query('select name, cents from sums'),
      expect(failing).rejects.toThrow('division by zero'),
    ]);
    expect(kept).toEqual([{ name: 'kept' }]);
    expect(count.rows).toEqual([{ name: 'kept', cents: 2 }]);
  });

  it('is asked and answers at any length', async () => {
    const text = 'é'.repeat(LETTERS);
    const { rows } = await client.query('select $1::text as said, length($1::text) as letters', [text]);
    expect(rows).toEqual([{ said: text, letters: LETTERS }]);
  });

  it('tells who listens once it has committed, until they listen no more', async () => {
    const heard = vi.fn();
    const stop = await client.listen('news', heard);
    await client.transaction(async (tx) => {
      await tx.query("select pg_notify('news', 'first')");
      expect(heard).not.toHaveBeenCalled();
    });
    expect(heard.mock.calls).toEqual([['first']]);
    await stop();
    await client.query("select pg_notify('news', 'second')");
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('answers what was asked before it is closed, and refuses what is asked after', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'dutchbook-thread-'));
    const opened = await openEmbeddedDatabase(other);
    const answer = opened.client.query(LONG);
    const closed = opened.client.close();
    const late = expect(opened.client.query('select 1')).rejects.toThrow('closed');
    expect((await answer).rows).toEqual([{ count: 2_000_000 }]);
    await closed;
    await late;
    await expect(opened.client.query('select 1')).rejects.toThrow('closed');
    opened.release();
    rmSync(other, { recursive: true });
  });
});
