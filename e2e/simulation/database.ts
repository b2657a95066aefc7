/** A process's own way to the database: where it may die, stop or be kept waiting. */
import { type Database, oneForAll } from '@dutchbook/server/platform/database/database.ts';
import { CHANNEL, openChannel } from '@dutchbook/server/platform/database/pubsub-channel.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { type Owner, runAs } from './owner.ts';
import type { Loan, Result, SharedDatabase, Statement } from './shared-database.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What happens to a process around its statements. */
export type DatabaseFate = {
  /** Called before and after each statement, those that begin and end a transaction too: it dies where this is true. */
  diesNow: () => boolean;
  /** For how long the database keeps a statement waiting. */
  delayMs: () => number;
  /** What the database answers to this statement instead of carrying it out; null where it does. */
  refusal: (sql: string) => string | null;
};

const NEVER = new Promise<never>(() => {});

/** Named as one, which is how Drizzle knows that it must ask for a connection before it begins a transaction. */
class GuardedPool {
  readonly #owner: Owner;
  readonly #shared: SharedDatabase;
  readonly #time: VirtualTime;
  readonly #fate: DatabaseFate;

  constructor(owner: Owner, shared: SharedDatabase, time: VirtualTime, fate: DatabaseFate) {
    this.#owner = owner;
    this.#shared = shared;
    this.#time = time;
    this.#fate = fate;
  }

  async query(statement: Statement, values?: readonly unknown[]): Promise<Result> {
    await this.#owner.alive();
    const loan = await this.#shared.borrow();
    return await this.#carryOut(loan, statement, values)
      .finally(loan.giveBack)
      .finally(() => this.#owner.alive());
  }

  /** A transaction's connection. When its process dies, the server sees it break and takes back what was not committed. */
  async connect() {
    await this.#owner.alive();
    const loan = await this.#shared.borrow();
    const abandon = () => {
      if (!loan.isOver) void loan.query('rollback').then(loan.giveBack, loan.giveBack);
    };
    if (this.#owner.isDead) abandon();
    this.#owner.onDeath(abandon);
    // One after the other, however many are sent at once; what comes after one that failed fails as well.
    let before: Promise<unknown> = Promise.resolve();
    let isFailed = false;
    const inSequence = (statement: Statement, values: readonly unknown[] | undefined) => {
      const round = before.then(() => {
        if (!isFailed) return this.#carryOut(loan, statement, values);
        if (!loan.isOver && /^(commit|rollback)/i.test(textOf(statement)))
          return this.#carryOut(loan, 'rollback', undefined);
        throw new Error('current transaction is aborted, commands ignored until end of transaction block');
      });
      before = round.catch(() => {
        isFailed = true;
      });
      return round;
    };
    return {
      query: async (statement: Statement, values?: readonly unknown[]) => {
        const text = textOf(statement);
        const result = await inSequence(statement, values).catch((error: unknown) => {
          // As the product's own pool does it: what could not even begin is not given back by Drizzle.
          if (/^begin/i.test(text)) loan.giveBack();
          throw error;
        });
        // Others need the connection while it stands still, so that its transaction ends; of that it hears when it goes on.
        if (this.#owner.isFrozen && /^(commit|rollback)/i.test(text)) {
          loan.giveBack();
          await this.#owner.alive();
        }
        return result;
      },
      release: loan.giveBack,
    };
  }

  async #carryOut(loan: Loan, statement: Statement, values: readonly unknown[] | undefined): Promise<Result> {
    this.#dieHere();
    const ms = this.#fate.delayMs();
    if (ms > 0) await runAs(undefined, () => new Promise<void>((over) => setTimeout(over, ms)));
    if (this.#owner.isDead) return await this.#gone(loan);
    const refusal = this.#fate.refusal(textOf(statement));
    if (refusal !== null) throw new Error(refusal);
    const result = await loan.query(statement, values);
    this.#time.activity += 1;
    this.#dieHere();
    return this.#owner.isDead ? await this.#gone(loan) : result;
  }

  /** The dead process gets no answer; the next caller gets its connection. */
  #gone(loan: Loan): Promise<never> {
    if (!loan.isOver) void loan.query('rollback').then(loan.giveBack, loan.giveBack);
    return NEVER;
  }

  #dieHere(): void {
    if (!this.#owner.isDead && this.#fate.diesNow()) this.#owner.die();
  }
}

function textOf(statement: Statement): string {
  return typeof statement === 'string' ? statement : statement.text;
}

export function openDb(owner: Owner, shared: SharedDatabase, time: VirtualTime, fate: DatabaseFate): Database['db'] {
  return drizzle(new GuardedPool(owner, shared, time, fate) as unknown as Pool);
}

/** The shared database as one process reaches it. */
export async function reachDatabase(
  owner: Owner,
  shared: SharedDatabase,
  time: VirtualTime,
  fate: DatabaseFate,
): Promise<Omit<Database, 'answered' | 'close'>> {
  const channel = openChannel();
  await shared.listen(CHANNEL, (payload) => {
    if (!owner.isDeaf) void owner.alive().then(() => runAs(owner, () => channel.receive(payload)));
  });
  const db = openDb(owner, shared, time, fate);
  return {
    db,
    priorityDb: db,
    dbFor: oneForAll(db),
    queueOptions: { connectionString: '' },
    pubsub: channel,
  };
}
