/** PGlite for tests without starting one for each: the tests of a file take turns on one, and find it empty. */
import type { PGlite } from '@electric-sql/pglite';
import { openMemoryDatabase } from './memory-database.fixture.ts';

export type LentPglite = {
  /** Refuses everything once it was given back, as one that is closed does. */
  client: PGlite;
  /** Whether a statement or a transaction is under way. */
  isBusy: () => boolean;
  giveBack: () => Promise<void>;
};

type Kept = { client: PGlite; shape: string };

let resting: Kept | null = null;

/** Lends one that `template` was loaded into and that holds no rows, a second one while the first is out. */
export async function lendPglite(template: Blob): Promise<LentPglite> {
  const kept = resting ?? (await open(template));
  resting = null;
  const lent = lend(kept.client);
  return {
    client: lent.client,
    isBusy: lent.isBusy,
    giveBack: async () => {
      lent.end();
      await empty(kept.client);
      const isReusable = resting === null && (await shapeOf(kept.client)) === kept.shape;
      if (isReusable) resting = kept;
      else await kept.client.close();
    },
  };
}

async function open(template: Blob): Promise<Kept> {
  const client = await openMemoryDatabase(template);
  return { client, shape: await shapeOf(client) };
}

function lend(client: PGlite): { client: PGlite; isBusy: () => boolean; end: () => void } {
  let underWay = 0;
  let isOver = false;
  const count = (work: Promise<unknown>) => {
    underWay += 1;
    const end = () => {
      underWay -= 1;
    };
    work.then(end, end);
  };
  const lent = new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'close') return Promise.resolve();
        if (isOver) return Promise.reject(new Error('PGlite is closed'));
        const result: unknown = Reflect.apply(member, target, given);
        if (result instanceof Promise) count(result);
        return result;
      };
    },
  });
  const end = () => {
    isOver = true;
  };
  return { client: lent, isBusy: () => underWay > 0, end };
}

/** Waits for what is under way and takes out all rows, also of tables whose triggers would have them stay. */
async function empty(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  );
  await client.exec(`
    drop schema if exists pgboss cascade;
    set session_replication_role = replica;
    ${rows.map(({ name }) => `delete from ${name};`).join('')}
    select setval(format('public.%I', sequencename)::regclass, 1, false) from pg_sequences where schemaname = 'public';
  `);
  await client.exec('discard all');
}

/** Something that differs after any change of the schema. */
async function shapeOf(client: PGlite): Promise<string> {
  const { rows } = await client.query(`
    select sum(xmin::text::bigint) as versions, count(*) from (
      select xmin from pg_trigger union all select xmin from pg_constraint union all select xmin from pg_proc
      union all select xmin from pg_type
      union all select a.xmin from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace
    ) as parts
  `);
  return JSON.stringify(rows);
}
