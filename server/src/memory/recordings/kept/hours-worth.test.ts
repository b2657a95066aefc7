import { type Instant, instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { readDraft } from '../../../market/opportunities/draft.ts';
import { insertDrafts } from '../../../market/opportunities/insert-drafts.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { recordedBatch } from '../../../trading/execution/runner/runner.fixture.ts';
import { batches } from '../../../trading/orders/table.ts';
import { readHoursWorth, startReadingHoursWorth } from './hours-worth.ts';
import { HOUR_MS } from './what-goes.ts';

/** When a test runtime begins. */
const NOW = instantFromIso('2026-01-01T00:00:00Z');
const DAYS = 7;
const ago = (hours: number) => instantFromMs(NOW - hours * HOUR_MS);
const USER = '10000000-0000-4000-8000-000000000000';
const FOLLOWED = '20000000-0000-4000-8000-000000000000';
const OTHER = '30000000-0000-4000-8000-000000000000';

/** By how many hours ago they began. */
const inOrder = (hours: ReadonlySet<number>) =>
  [...hours].map((hour) => (NOW - hour) / HOUR_MS).toSorted((a, b) => b - a);

async function addOpportunity({ runtime }: TestRuntime, market: string): Promise<string> {
  const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: market, outcome: 'Yes' }] }] });
  if (read.kind === 'refused') throw new Error(read.reason);
  const [id = ''] = (await insertDrafts(runtime, [read.draft])).created.values();
  return id;
}

async function rise({ runtime: { db } }: TestRuntime, id: string, at: Instant, isEdge = true): Promise<void> {
  await db.execute(sql`insert into price_points (opportunity_id, at, target_price, triggered, is_edge)
    values (${id}, ${instantToIso(at)}, 1, true, ${isEdge})`);
}

async function paid({ runtime: { db, random } }: TestRuntime, relationId: string, from: Instant, until: Instant) {
  await db.execute(sql`insert into relation_hits (id, relation_id, direction, first_at, last_at, net, profit, size)
    values (${random.uuid()}, ${relationId}, 'yes', ${instantToIso(from)}, ${instantToIso(until)}, 0, 0, 0)`);
}

async function fill(test: TestRuntime): Promise<void> {
  const { db } = test.runtime;
  await db.execute(sql`insert into users (id, email, password_hash, is_superuser, is_active, created_at)
    values (${USER}, 'a@example.com', '', false, true, now())`);
  const [alerted, unknown] = [await addOpportunity(test, 'one'), await addOpportunity(test, 'other')];
  await db.execute(sql`insert into opportunity_alerts (id, user_id, opportunity_id, at_percentage, by_mail, armed, created_at)
    values (${OTHER}, ${USER}, ${alerted}, 1, false, true, now())`);
  await rise(test, alerted, ago(30.5));
  await rise(test, alerted, ago(33.5), false);
  await rise(test, alerted, ago(200.5));
  await rise(test, unknown, ago(40.5));
  for (const id of [FOLLOWED, OTHER])
    await db.execute(sql`insert into relations (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title,
      members, read_from, is_complete, completeness, is_void_safe, fingerprint, snapshot, trusted)
      values (${id}, now(), now(), ${id}, 'exactly_one', 'declared', 'approved', 'cup', '', '', '[]', '[]', true, '', true, '', '{}', '{}')`);
  await db.execute(sql`insert into relation_follows (user_id, relation_id) values (${USER}, ${FOLLOWED})`);
  await paid(test, FOLLOWED, ago(52.5), ago(50.5));
  await paid(test, OTHER, ago(60.5), ago(60));
}

it('hours in which a batch began or ended are traded, with those that lead to it and follow it', async () => {
  await using test = await openTestRuntime();
  const { db } = test.runtime;
  const id = await recordedBatch(test);
  const times = { createdAt: instantFromMs(ago(20) + 60_000), executionCompletedAt: instantFromMs(ago(10) - 30_000) };
  await db.update(batches).set(times).where(eq(batches.id, id));
  const worth = await readHoursWorth(db, ago(24 * DAYS));
  expect([inOrder(worth.traded), inOrder(worth.watched)]).toEqual([[21, 20, 11, 10], []]);
  expect(inOrder((await readHoursWorth(db, ago(15))).traded)).toEqual([11, 10]);
});

it('hours in which something paid that a user follows or has an alert on are watched', async () => {
  await using test = await openTestRuntime();
  await fill(test);
  const worth = await readHoursWorth(test.runtime.db, ago(24 * DAYS));
  expect([inOrder(worth.traded), inOrder(worth.watched)]).toEqual([[], [53, 52, 51, 31]]);
});

it('what recordings are worth is known soon after the start, and read again', async () => {
  await using test = await openTestRuntime();
  await fill(test);
  const reading = startReadingHoursWorth(test.runtime, DAYS);
  await expect.poll(() => inOrder(reading.current().watched)).toEqual([53, 52, 51, 31]);
  await recordedBatch(test);
  await test.time.advance(600_000);
  await expect.poll(() => reading.current().traded.size).toBeGreaterThan(0);
  await reading.stop();
});
