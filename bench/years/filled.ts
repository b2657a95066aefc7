/** Years of rows, made by SQL in the empty database of a product that has not started. */
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { ensureFirstSuperuser } from '@dutchbook/server/people/users/first-superuser.ts';
import { createPasswords } from '@dutchbook/server/people/users/passwords.ts';
import { users } from '@dutchbook/server/people/users/table.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import type { Db, Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../product.ts';

/** How many rows of each; none of what is left out. */
export type Rows = {
  opportunities: number;
  batches?: number;
  notifications?: number;
  auditEntries?: number;
  items?: number;
};

/** Ten orders a batch. */
const ORDERS_PER_BATCH = 10;

/** `more` puts further rows there. @returns the id of the first superuser */
export async function fillDatabase(
  { variables }: Database,
  rows: Rows,
  more: (runtime: Runtime, superuserId: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const { runtime, close } = await openRuntime(readConfig(variables));
  await ensureFirstSuperuser(runtime, createPasswords());
  const [user] = await runtime.db.select().from(users);
  if (user === undefined) throw new Error('there is no first superuser');
  await insertAtOnce(runtime.db, statementsFor({ ...NONE, ...rows }, user.id));
  await more(runtime, user.id);
  await close();
  return user.id;
}

const NONE = { batches: 0, notifications: 0, auditEntries: 0, items: 0 };

/** Inserts many rows into tables that no other connection uses yet. */
export async function insertAtOnce(db: Db, statements: readonly SQL[]): Promise<void> {
  const indexes = await nonUniqueIndexes(db);
  for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`);
  for (const statement of statements) await db.execute(statement);
  for (const { definition } of indexes) await db.execute(sql.raw(definition));
  // As autovacuum leaves a table that has stood for a while: with statistics, and pages known to be visible to all.
  await db.execute(sql`vacuum analyze`);
}

/** Indexes that enforce no constraint: creating them after the inserts is much faster than updating them at each row. */
async function nonUniqueIndexes(db: Db): Promise<{ name: string; definition: string }[]> {
  const { rows } = (await db.execute(sql`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisunique and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname not like 'notification_counts%'`)) as unknown as {
    rows: { name: string; definition: string }[];
  };
  return rows;
}

function statementsFor(rows: Required<Rows>, userId: string): SQL[] {
  return [
    opportunities(rows.opportunities),
    batchesOf(rows),
    orders(),
    attempts(),
    ...reserved(),
    notifications(rows),
    auditEntries(rows.auditEntries),
    items(rows.items, userId),
  ];
}

/** A UUID derived from the text, with the version and variant that clients check. */
export function uuidOf(text: SQL): SQL {
  return sql`overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;
}

/** One in ten is active and followed, one in a hundred triggered, one in twenty never priced. */
function opportunities(count: number): SQL {
  return sql`
    with numbered as (
      select n, ${uuidOf(sql`'opportunity ' || n`)} as id, now() - n * interval '1 second' as at
      from generate_series(1, ${count}::int) as n
    ), stored as (
      insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, source, content_hash)
      select id, at, at, jsonb_build_array(jsonb_build_object('leg', 1, 'markets', jsonb_build_array(
          jsonb_build_object('id', 'market ' || n, 'outcome', 'Yes'), jsonb_build_object('id', 'other ' || n, 'outcome', 'No')))),
        1000000, n % 10 = 0, 'source ' || n % 1000, encode(sha256(n::text::bytea), 'hex')
      from numbered
    )
    insert into opportunity_prices (opportunity_id, edited_at, current_price, fees_per_set, profit_percentage, triggered,
      last_checked)
    select id, at, case when n % 20 > 0 then 950000 + n % 50000 end, case when n % 20 > 0 then 1000 end,
      case when n % 20 > 0 then (n * 7919) % 10000000 - 5000000 end, n % 100 = 0, now()
    from numbered`;
}

/** Every batch has ended: one in five has failed, and one in fifty is unhedged. */
function batchesOf({ batches, opportunities: count }: Required<Rows>): SQL {
  return sql`
    insert into batches (id, opportunity_id, status, expected_orders, total_orders, order_size, target_price, target_profit,
      actual_profit, unhedged, automatic, simulated, settings, execution_started_at, execution_completed_at, created_at,
      updated_at, last_error, reserved)
    select ${uuidOf(sql`'batch ' || n`)}, ${uuidOf(sql`'opportunity ' || 1 + n % ${count}::int`)},
      (array['completed', 'completed', 'completed', 'failed', 'sold'])[1 + n % 5], 10, 10, 5000000, 1000000, 50000,
      (n * 7919) % 2000000 - 1000000, case when n % 50 = 0 then '{"positions": [], "worstLoss": 1000000}'::jsonb end,
      n % 2 = 0, false, '{}', now() - n * interval '1 minute', now() - n * interval '1 minute',
      now() - n * interval '1 minute', now(), case when n % 5 = 3 then 'Not sent: ' || n end, true
    from generate_series(1, ${batches}::int) as n`;
}

function orders(): SQL {
  return sql`
    insert into batch_orders (id, batch_id, opportunity_id, leg, ordinal, market_id, market_name, token_id, outcome, side,
      size, price, fee_rate, status, filled_size, filled_cost, fee, created_at, updated_at)
    select ${uuidOf(sql`b.id::text || n`)}, b.id, b.opportunity_id, n, n, 'market ' || n, 'Will it happen? ' || n, 'token ' || n,
      'Yes', 'buy', 5000000, 100000 + (n * 7919) % 800000, 30000,
      case when b.status = 'failed' then 'failed' else 'filled' end,
      case when b.status = 'failed' then 0 else 5000000 end, case when b.status = 'failed' then 0 else 500000 end, 1000,
      b.created_at, b.updated_at
    from batches b cross join generate_series(1, ${ORDERS_PER_BATCH}::int) as n`;
}

function attempts(): SQL {
  return sql`
    insert into attempts (id, order_id, batch_id, order_hash, salt, payload, size, price, status, created_at, sent_at,
      answered_at, ended_at, updated_at, reserved)
    select ${uuidOf(sql`'attempt ' || id`)}, id, batch_id, '0x' || md5(id::text), '1', '{}', size, price,
      case when status = 'failed' then 'rejected' else 'matched' end, created_at, created_at, created_at, created_at, updated_at,
      true
    from batch_orders`;
}

/** What is held; nothing is under way. */
function reserved(): SQL[] {
  return [
    sql`insert into reserved_entries (batch_id, account, day, amount, folded)
      select b.id, 'exposed', '', sum(o.filled_cost + o.fee), sum(o.filled_cost + o.fee)
      from batches b join batch_orders o on o.batch_id = b.id where b.status <> 'sold' and o.filled_size > 0 group by 1`,
    sql`insert into reserved_balances (account, day, amount)
      select account, day, sum(amount) from reserved_entries group by 1, 2`,
  ];
}

function notifications({ notifications: count, opportunities: among }: Required<Rows>): SQL {
  return sql`
    insert into notifications (id, opportunity_id, notification_type, message, status, sent_at, attempts, created_at,
      updated_at, data, tries_left)
    select ${uuidOf(sql`'notification ' || n`)}, ${uuidOf(sql`'opportunity ' || 1 + n % ${among}::int`)},
      (array['opportunity_triggered', 'batch_completed'])[1 + n % 2], 'The profit has come up to ' || n % 1000,
      case when n % 100 = 0 then 'failed' else 'sent' end, now() - n * interval '1 second', 1,
      now() - n * interval '1 second', now() - n * interval '1 second', '{}', 4
    from generate_series(1, ${count}::int) as n`;
}

function auditEntries(count: number): SQL {
  return sql`
    insert into audit_log (seq, at, actor, address, action, object, hash)
    select n, now() - (${count}::int - n) * interval '1 minute', 'admin@example.com', '127.0.0.1', 'session.opened', null, md5(n::text)
    from generate_series(1, ${count}::int) as n`;
}

function items(count: number, ownerId: string): SQL {
  return sql`
    insert into items (id, owner_id, title, description, created_at)
    select ${uuidOf(sql`'item ' || n`)}, ${ownerId}::uuid, 'Item ' || n, 'What it is', now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) as n`;
}
