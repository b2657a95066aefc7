/** Appends rows to the table, each only where it says something else than what stands there. */
import { createHash } from 'node:crypto';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { JournalData } from './journaled.ts';
import { jsonText, toStored } from './stored.ts';
import { decisionJournal, EVENT_TOPICS, type JournalTopic } from './table.ts';

const DAY_MS = 86_400_000;

/** `data` is null where it is gone, and undefined where another process notes it from now on. */
export type Noted = {
  [Topic in JournalTopic]: { at: Instant; topic: Topic; subject: string; data: JournalData[Topic] | null | undefined };
}[JournalTopic];

export type JournalWriter = {
  /** Throws what the database says; nothing is taken for written then. */
  write: (noted: readonly Noted[]) => Promise<void>;
  /** The subjects of which something stands by what was written here. */
  standing: (topic: JournalTopic) => string[];
  /** Rows since the process began. */
  written: () => number;
};

type Known = { digest: string | null; at: Instant };
type Change = { topic: JournalTopic; subject: string; known: Known | undefined };
type Row = { at: string; topic: JournalTopic; subject: string; data: string | null; is_first: boolean };

export function openJournalWriter(db: Db, venue: string): JournalWriter {
  const known = new Map<JournalTopic, Map<string, Known>>();
  let written = 0;

  const take = ({ topic, subject, known: next }: Change) => {
    const ofTopic = known.get(topic) ?? new Map<string, Known>();
    known.set(topic, ofTopic);
    if (next === undefined) ofTopic.delete(subject);
    else ofTopic.set(subject, next);
  };
  return {
    write: async (noted) => {
      const changes = new Map<string, Change>();
      const rows = noted.flatMap(({ at, topic, subject, data }): Row[] => {
        const text = data == null ? null : jsonText(toStored(topic, data));
        const row = { at: instantToIso(at), topic, subject, data: text, is_first: false };
        if (EVENT_TOPICS.includes(topic)) return [row];
        const key = `${topic} ${subject}`;
        const change = changes.get(key);
        const before = change === undefined ? known.get(topic)?.get(subject) : change.known;
        const next = data === undefined ? undefined : { digest: digestOf(text), at };
        if (next !== undefined && before !== undefined && !isChanged(topic, before, next)) return [];
        changes.set(key, { topic, subject, known: next });
        if (next === undefined) return [];
        return [{ ...row, is_first: before === undefined && change === undefined }];
      });
      if (rows.length > 0) written += await insert(db, venue, rows);
      for (const change of changes.values()) take(change);
    },
    standing: (topic) =>
      [...(known.get(topic) ?? [])].filter(([, { digest }]) => digest !== null).map(([subject]) => subject),
    written: () => written,
  };
}

/** A watched market is noted again each day; notes older than that are dropped, because the end of watching is not noted. */
function isChanged(topic: JournalTopic, before: Known, next: Known): boolean {
  return before.digest !== next.digest || (topic === 'market' && next.at - before.at >= DAY_MS);
}

function digestOf(text: string | null): string | null {
  return text === null ? null : createHash('md5').update(text).digest('base64');
}

/** Inserts rows that differ from the newest of their subject, which another process, or an earlier run, may have written. */
async function insert(db: Db, venue: string, rows: readonly Row[]): Promise<number> {
  // The data are JSON already.
  const texts = rows.map(({ data, ...row }) => `${JSON.stringify(row).slice(0, -1)},"data":${data ?? 'null'}}`);
  const { rowCount } = (await db.execute(sql`
    insert into ${decisionJournal} (venue, at, topic, subject, data)
    select ${venue}, n.at, n.topic, n.subject, n.data
    from jsonb_to_recordset(${`[${texts.join()}]`}::jsonb)
      as n (at timestamptz, topic text, subject text, data jsonb, is_first boolean)
    where not n.is_first or not coalesce((
      select f.data is not distinct from n.data and (n.topic <> 'market' or f.at > n.at - interval '1 day')
      from ${decisionJournal} f where f.venue = ${venue} and f.topic = n.topic and f.subject = n.subject
      order by f.at desc, f.id desc limit 1), n.data is null)`)) as unknown as { rowCount: number };
  return rowCount;
}
