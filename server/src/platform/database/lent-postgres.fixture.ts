/** Databases on the PostgreSQL server of the test run without making one for each test: the tests use them one after another, and find it empty. */
import { Client } from 'pg';
import { type Caretaker, openEmptying, shapeOf } from './emptied-database.fixture.ts';
import { freshTestDatabase, type TestDatabaseOnServer } from './test-server.fixture.ts';

export type LentPostgres = {
  url: string;
  /** Ends what is still connected to it. */
  giveBack: () => Promise<void>;
};

/** `client` stays connected: what it has looked up of the database it need not look up again. */
type Kept = TestDatabaseOnServer & {
  client: Client;
  run: Caretaker;
  empty: () => Promise<void>;
  shape: string;
  isBroken: boolean;
};

const resting: Kept[] = [];

/** Lends one that is migrated and holds no rows, another one while others are out. */
export async function lendPostgres(): Promise<LentPostgres> {
  const kept = resting.pop() ?? (await open());
  return { url: kept.url, giveBack: () => takeBack(kept) };
}

async function open(): Promise<Kept> {
  const database = await freshTestDatabase();
  const client = new Client({ connectionString: database.url });
  const run: Caretaker = async (text, name) => (await client.query({ text, name })).rows;
  await client.connect();
  const kept = { ...database, client, run, empty: await openEmptying(run), shape: await shapeOf(run), isBroken: false };
  client.on('error', () => {
    kept.isBroken = true;
  });
  return kept;
}

async function takeBack(kept: Kept): Promise<void> {
  if (!kept.isBroken) {
    await kept.run(END_OTHERS, 'end others');
    await kept.empty();
    if ((await shapeOf(kept.run)) === kept.shape) return void resting.push(kept);
  }
  await kept.client.end();
  await kept.drop();
}

/** Each of them, once it is gone. */
const END_OTHERS = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
