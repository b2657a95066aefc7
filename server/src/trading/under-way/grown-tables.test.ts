import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pipelined, type Send } from '../../platform/database/pipelined.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { readLots } from '../chain-steps/free-lots.ts';
import { fillBatches } from '../orders/many-batches.fixture.ts';
import { ownOrders } from '../orders/own-orders.ts';
import { useQuery } from './limit-use.ts';
import { foldReserved, reserveAnew } from './reserve.ts';
import { uncounted } from './spendable.ts';

const BATCHES = 2000;
/** Later than what is filled in. */
const READ_AT = instantFromMs(Date.now() + 3_600_000);
const READ_BY_TRANSACTION = sql`select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables`;

describe('beside 2,000 batches of the past, on connections that were opened before the first', () => {
  let test: TestRuntime;
  const factsOfTrigger = async (send: Send) => {
    await Promise.all([
      send(sql`select ${uncounted({ at: READ_AT }, null, 'polymarket')}`),
      send(ownOrders()),
      send(useQuery(READ_AT)),
    ]);
    const [read] = await send<{ rows: number }>(READ_BY_TRANSACTION);
    return read?.rows;
  };
  const onTriggersConnection = () => pipelined(test.runtime.priorityDb, ({ send }) => factsOfTrigger(send));
  beforeAll(async () => {
    test = await openTestRuntime();
    await onTriggersConnection();
    await fillBatches(test.runtime.db, BATCHES);
    await reserveAnew(test.runtime.db, sql`true`);
    await foldReserved(test.runtime.db);
    // As autovacuum does within a minute.
    await test.runtime.db.execute(sql`select brin_summarize_new_values('batches_updated_at')`);
  });
  afterAll(() => test.close());

  it('a trigger reads those that are under way', async () => {
    expect(await onTriggersConnection()).toBeLessThan(100);
  });

  it.each(['batches', 'batch_orders', 'attempts', 'fills'])(
    'what may be sold is read once, %s analyzed',
    async (table) => {
      const { db } = test.runtime;
      await db.execute(sql`analyze ${sql.identifier(table)}`);
      const { lots, rows } = await db.transaction(async (tx) => {
        const readSoFar = async () =>
          ((await tx.execute(READ_BY_TRANSACTION)) as unknown as { rows: [{ rows: number }] }).rows[0].rows;
        // The server counts transactions before this one along, for up to a second.
        const before = await readSoFar();
        return { lots: await readLots(tx, 'held'), rows: (await readSoFar()) - before };
      });
      expect(lots.length).toBeGreaterThan(BATCHES / 4);
      expect(rows).toBeLessThan(50 * BATCHES);
    },
  );
});
