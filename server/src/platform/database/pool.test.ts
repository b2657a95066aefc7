import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, type PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabasePool } from './pool.ts';
import { emptyTestDatabase } from './test-server.fixture.ts';

/** Connections of this pool are ended by the server just after they were lent, while `isOut` is true. */
class PoolInOutage extends DatabasePool {
  isOut = true;
  killer: Client | null = null;

  override connect(): Promise<PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void,
  ): void;
  override connect(
    callback?: (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void,
  ): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      super.connect(callback);
      return undefined;
    }
    return super.connect().then((client) => this.#endedMeanwhile(client));
  }

  async #endedMeanwhile(client: PoolClient): Promise<PoolClient> {
    if (!this.isOut) return client;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await this.killer?.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    return client;
  }
}

describe('a pool of connections', () => {
  it('outlasts transactions that could not begin, more of them than it has connections', async () => {
    const { url, drop } = await emptyTestDatabase();
    const pool = new PoolInOutage({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 });
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    pool.killer = new Client({ connectionString: url });
    await pool.killer.connect();
    const db = drizzle(pool);
    for (let nth = 0; nth < 3; nth += 1) {
      await expect(db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow();
    }
    pool.isOut = false;
    const { rows } = await db.transaction((tx) => tx.execute(sql`select 2 as two`));
    expect(rows).toEqual([{ two: 2 }]);
    await pool.killer.end();
    await pool.end();
    await drop();
  });
});
