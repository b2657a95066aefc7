/** PGlite for tests without starting one for each: the tests of a file take turns on one, and find it empty. */
import type { PGlite } from '@electric-sql/pglite';
import { type Caretaker, emptyDatabase, shapeOf } from './emptied-database.fixture.ts';
import { openMemoryDatabase } from './memory-database.fixture.ts';

export type LentPglite = {
  /** Refuses everything once it was given back, as one that is closed does. */
  client: PGlite;
  /** Whether a statement or a transaction is under way. */
  isBusy: () => boolean;
  giveBack: () => Promise<void>;
};

type Kept = { client: PGlite; run: Caretaker; shape: string };

type Row = Record<string, unknown>;

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
      await emptyDatabase(kept.run);
      const isReusable = resting === null && (await shapeOf(kept.run)) === kept.shape;
      if (isReusable) resting = kept;
      else await kept.client.close();
    },
  };
}

async function open(template: Blob): Promise<Kept> {
  const client = await openMemoryDatabase(template);
  const run: Caretaker = async (statements) => ((await client.exec(statements)).at(-1)?.rows ?? []) as Row[];
  return { client, run, shape: await shapeOf(run) };
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
