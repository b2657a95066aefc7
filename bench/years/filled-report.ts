/** Fills the tables that the report reads, by SQL over the batches of `fillDatabase` (filled.ts): results, legs, fills, and what was missed. */
import type { Db } from '@dutchbook/server/platform/runtime/runtime.ts';
import { type SQL, sql } from 'drizzle-orm';
import { insertAtOnce, uuidOf } from './filled.ts';

const EVENTS = 2000;

/** How many hits of relations and missed triggers to make, one every thirty seconds back from now. */
type Missed = { hits: number; triggers: number };

export async function fillReport(db: Db, missed: Missed, operatorId: string): Promise<void> {
  const keptUp = sql`update batches set results_due = false`;
  await insertAtOnce(db, [
    fills(),
    results(operatorId),
    days(),
    keptUp,
    legs(),
    gas(),
    relation(),
    hits(missed),
    triggers(missed),
  ]);
}

/** One fill for each attempt. One in two hundred failed to settle and was undone. */
function fills(): SQL {
  return sql`
    insert into fills (trade_id, order_hash, attempt_id, batch_id, price, size, cost, fee, settlement, matched_at, created_at,
      settled_at, in_ledger)
    select 'trade ' || id, order_hash, id, batch_id, price, size, size * price / 1000000, 1000,
      case when hashtext(order_hash) % 200 = 0 then 'failed' else 'confirmed' end, created_at, created_at,
      created_at + interval '40 s', case when hashtext(order_hash) % 200 = 0 then 'undone' else 'settled' end
    from attempts`;
}

/** One result for each batch: one in ten is not cash yet, half were placed by `operatorId`; 20 sources, four structures and none. */
function results(operatorId: string): SQL {
  return sql`
    with numbered as (select b.*, row_number() over (order by created_at desc)::int as n from batches b)
    insert into batch_results (batch_id, operator_id, automatic, source, event_id, event_title, structure, basis, triggered_at,
      sent_at, matched_at, confirmed_at, cash_at, lock_day, cash_day, release_at, release_month, size, predicted_cost,
      predicted_fees, predicted_profit, books_age_ms, paid, received, fees, ordered_shares, filled_shares, legs, filled_legs,
      fill_count, undone_fills, paid_profit, locked_profit, at_risk, locked, moved_before_send, moved_in_flight, size_added,
      shortfall, capital_days, changed_at, dated_profit)
    select id, case when n % 2 = 0 then ${operatorId}::uuid end, n % 2 = 1, 'source ' || n % 20, 'event-' || (n * 7919) % ${EVENTS}::int,
      'Who wins number ' || (n * 7919) % ${EVENTS}::int || '?',
      (array['pair', 'exactly_one', 'ladder', 'buckets', null])[1 + n % 5], 'declared', created_at,
      created_at + n % 400 * interval '1 ms', created_at + n % 1000 * interval '3 ms',
      created_at + n % 10000 * interval '10 ms', case when n % 10 > 0 then created_at + n % 1000 * interval '9 min' end,
      (created_at at time zone 'UTC')::date,
      case when n % 10 > 0 then ((created_at + n % 1000 * interval '9 min') at time zone 'UTC')::date end,
      created_at + n % 300 * interval '1 day', to_char(created_at + n % 300 * interval '1 day', 'YYYY-MM'),
      (1 + n * 31 % 6000) * 1000000::bigint, 19000000, 10000, 500000 + n % 1000, n % 300, 19000000 + n % 777, 19500000, 10000,
      50000000, 50000000 - n % 7 * 1000000, 10, 10 - n % 2, 10, n % 2, case when n % 10 > 0 then 400000 + n % 991 else 0 end,
      case when n % 10 = 0 then 300000 else 0 end, n % 13 * 1000, case when n % 10 = 0 then 19000000 else 0 end, n % 1000,
      n % 777, n % 333, n % 7 * 10000, 3000000 + n, created_at,
      case when n % 10 > 0 then 400000 + n % 991 else 0 end
    from numbered`;
}

function days(): SQL {
  return sql`
    insert into cash_days (batch_id, day, paid, fees, moved_before_send, moved_in_flight, size_added)
    select batch_id, cash_day, paid_profit, fees, moved_before_send, moved_in_flight, size_added
    from batch_results where cash_day is not null`;
}

function legs(): SQL {
  return sql`
    insert into leg_results (batch_id, order_id, leg, hour, ordered, filled, predicted_price, predicted_fee, average_price, paid,
      fee, moved_before_send, moved_in_flight, size_added)
    select batch_id, id, leg, 0, size, filled_size, price, fee, price, filled_cost, fee, 10, 20, 30 from batch_orders`;
}

/** A ledger entry with the gas of a contract call for one in ten batches. */
function gas(): SQL {
  return sql`
    insert into ledger_entries (at, kind, lines, submission_id)
    select created_at, 'gas', '[{"account": "gas", "unit": "pol", "amount": 20000},
      {"account": "outside", "unit": "pol", "amount": -20000}]', gen_random_uuid()
    from batches where hashtext(id::text) % 10 = 0`;
}

const RELATION = uuidOf(sql`'a relation'`);

function relation(): SQL {
  return sql`
    insert into relations (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title, members, read_from,
      is_complete, completeness, is_void_safe, fingerprint, snapshot, trusted)
    values (${RELATION}, now(), now(), 'a', 'exactly_one', 'declared', 'approved', 'event-7', 'Who wins?', 'One of them', '[]',
      '[]', true, '', true, '', '{}', '{}')`;
}

/** A third has an obstacle, a third was refused, a third was bought; refusals say how much is missing. */
function hits({ hits: count }: Missed): SQL {
  return sql`
    insert into relation_hits (id, relation_id, direction, first_at, last_at, ended_at, net, profit, size, obstacle,
      opportunity_id, triggered, refusal, batch_id)
    select gen_random_uuid(), ${RELATION}, 'yes', at, at, at, 1000, n % 5000 * 1000, 1000000,
      case when n % 3 = 0 then 'It makes $0.' || n % 100 || ' at its best size, and the least profit is $1' end,
      case when n % 3 > 0 then gen_random_uuid() end, n % 3 > 0,
      case when n % 3 = 1 then 'Leg ' || n % 10 || ' is short of ' || n % 1000 || '.5 shares. Trading is disarmed.' end,
      case when n % 3 = 2 then ${uuidOf(sql`'batch ' || n`)} end
    from (select n, now() - n * interval '30 s' as at from generate_series(1, ${count}::int) n) numbered`;
}

function triggers({ triggers: count }: Missed): SQL {
  return sql`
    insert into missed_triggers (id, at, opportunity_id, source, event_id, profit, refusal)
    select gen_random_uuid(), now() - n * interval '30 s', gen_random_uuid(), 'source ' || n % 20, 'event-' || n % ${EVENTS}::int,
      n % 5000 * 1000, case when n % 4 > 0 then 'Net 0.' || n % 100 || ' %, needs 0.8 %. Leg 2: book is ' || n % 60 || ' s old.' end
    from generate_series(1, ${count}::int) n`;
}
