/**
 * The one database of a simulation: a real PostgreSQL behind a single connection, which processes share, one
 * transaction after the other. A statement is carried out only once nothing else goes on, so how
 * long it really takes changes nothing.
 */
import pg from 'pg';
import { migratedDatabase } from '../product/database.ts';

export type Statement = pg.QueryConfig | string;
export type Result = pg.QueryArrayResult<never[]> | pg.QueryResult<never>;

/** Makes rows and plans independent of what ran before: no vacuum, and generic plans only. */
const REPEATABLE =
  'set jit = off; set plan_cache_mode = force_generic_plan; set synchronous_commit = off; set timezone = UTC';
/** The server's log is not read while a simulation runs, and a server that cannot write any more of it stands still. */
const UNLOGGED = 'set log_min_messages = fatal';

/** Of those that never had a row since they were emptied last, there is nothing to empty, which takes most of a millisecond for each. */
const TABLES_WITH_ROWS = `select string_agg(format('%I', relname), ', ') as filled from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`;

export class SharedDatabase {
  readonly #client: pg.Client;
  readonly #received = new Set<(payload: string) => void>();
  readonly #due: (() => Promise<void>)[] = [];
  readonly #names = new Map<string, string>();
  readonly #wanting: (() => void)[] = [];
  #isBorrowed = false;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('notification', ({ payload }) => {
      for (const received of [...this.#received]) received(payload ?? '');
    });
  }

  /** A database of its own on the PostgreSQL server of TEST_DATABASE_URL. */
  static async open(): Promise<SharedDatabase> {
    const connectionString = await migratedDatabase();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`${REPEATABLE}; ${UNLOGGED}`);
    const { rows } = await client.query<{ name: string }>(
      `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
    return new SharedDatabase(client);
  }

  /** Carries out the next statement that waits. @returns whether there was one */
  async serve(): Promise<boolean> {
    const next = this.#due.shift();
    await next?.();
    return next !== undefined;
  }

  /** The connection for one statement or one transaction, as soon as those who asked before have given it back. */
  async borrow(): Promise<Loan> {
    if (this.#isBorrowed) await new Promise<void>((given) => this.#wanting.push(given));
    this.#isBorrowed = true;
    return new Loan(
      (statement, values) => this.#queue(statement, values),
      () => {
        const next = this.#wanting.shift();
        if (next === undefined) this.#isBorrowed = false;
        else next();
      },
    );
  }

  /** One statement outside of every process: the checks read, and stories write, past every process. */
  async query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const loan = await this.borrow();
    const { rows } = await loan.query(sql, values).finally(loan.giveBack);
    return rows as Row[];
  }

  /** What is published on any channel. @returns what ends it */
  async listen(channel: string, received: (payload: string) => void): Promise<() => Promise<void>> {
    await this.query(`listen ${channel}`);
    this.#received.add(received);
    return async () => void this.#received.delete(received);
  }

  /** Takes all rows out, for the next seed. */
  async empty(): Promise<void> {
    this.#received.clear();
    this.#due.length = 0;
    this.#wanting.length = 0;
    this.#isBorrowed = false;
    await this.#client.query('rollback; unlisten *');
    const { rows } = await this.#client.query<{ filled: string | null }>(TABLES_WITH_ROWS);
    for (const { filled } of rows) {
      if (filled === null) continue;
      await this.#client.query(`set session_replication_role = replica;
        truncate ${filled} restart identity cascade; reset session_replication_role`);
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  /** What has values is prepared once and then only executed, which takes the server and this process half the time. */
  #carryOut(statement: Statement, values: readonly unknown[] | undefined): Promise<Result> {
    const config: pg.QueryConfig = typeof statement === 'string' ? { text: statement } : statement;
    const all = values ?? config.values;
    if (all === undefined) return this.#client.query(config) as unknown as Promise<Result>;
    const name = this.#names.get(config.text) ?? `s${this.#names.size}`;
    this.#names.set(config.text, name);
    return this.#client.query({ ...config, name, values: [...all] }) as unknown as Promise<Result>;
  }

  #queue(statement: Statement, values: readonly unknown[] | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#due.push(async () => {
        await this.#carryOut(statement, values).then(resolve, reject);
      });
    });
  }
}

export class Loan {
  readonly #carryOut: (statement: Statement, values?: readonly unknown[]) => Promise<Result>;
  readonly #end: () => void;
  #isOver = false;

  constructor(carryOut: Loan['query'], end: () => void) {
    this.#carryOut = carryOut;
    this.#end = end;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  query(statement: Statement, values?: readonly unknown[]): Promise<Result> {
    return this.#carryOut(statement, values);
  }

  readonly giveBack = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end();
  };
}
