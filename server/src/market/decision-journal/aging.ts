import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, exists, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/runtime/runtime.ts';
import { deleteInSteps } from '../relations/retention.ts';
import { decisionJournal, EVENT_TOPICS } from './table.ts';

const DAY_MS = 86_400_000;

type Age = (db: Db, now: Instant, signal: AbortSignal) => Promise<void>;

/**
 * Does what `ageOther` does, and deletes rows that are older than `days`, but for those that still stood then: so that the state of
 * every moment after that can be read. The end of watching a market is not noted; while it is watched it is noted each day.
 */
export function openJournalAging({ days }: { days: number }, ageOther: Age): Age {
  return async (db, now, signal) => {
    await ageOther(db, now, signal);
    await ageJournal(db, now, days, signal);
  };
}

async function ageJournal(db: Db, now: Instant, days: number, signal: AbortSignal): Promise<void> {
  const before = instantFromMs(now - days * DAY_MS);
  const { at, topic, data } = decisionJournal;
  const isOldMarket = and(eq(topic, 'market'), lt(at, instantFromMs(before - DAY_MS)));
  const isPast = or(inArray(topic, [...EVENT_TOPICS]), isOldMarket, isOvertaken(db, before));
  await deleteInSteps(db, decisionJournal, and(lt(at, before), isPast), signal);
  // Only then: what says that something is gone overtakes what said that it is there.
  await deleteInSteps(db, decisionJournal, and(lt(at, before), isNull(data)), signal);
}

function isOvertaken(db: Db, before: Instant) {
  const { id, at, venue, topic, subject } = decisionJournal;
  const newer = alias(decisionJournal, 'newer');
  return exists(
    db
      .select({ one: sql`1` })
      .from(newer)
      .where(
        and(
          ...[eq(newer.venue, venue), eq(newer.topic, topic), eq(newer.subject, subject), lt(newer.at, before)],
          sql`(${newer.at}, ${newer.id}) > (${at}, ${id})`,
        ),
      ),
  );
}
