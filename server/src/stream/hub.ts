import { type Change, changeData } from '@dutchbook/contract/stream.ts';
import * as z from 'zod/mini';
import type { StreamHub } from '../parts.ts';
import type { World } from '../world/world.ts';
import { coalesce } from './coalesce.ts';
import { KEPT_AFTER_LEAVING_MS, keepHistory } from './history.ts';
import { createReader, type Outlet, type Reader } from './reader.ts';

/** Five changes per second and object. */
const INTERVAL_MS = 200;
const RECOVER_MS = 200;

type Unnumbered = Omit<Change, 'seq'>;

export type Subscription = {
  /** Listens to these topics instead of the ones before, and sends what was missed since `since`. */
  subscribe: (topics: readonly string[], since: number | undefined) => void;
  end: () => void;
};

export type OpenHub = StreamHub & {
  join: (outlet: Outlet) => Subscription;
  /** Tabs that are connected. */
  readers: () => number;
  stop: () => void;
};

/** Numbers changes, remembers the last of them and hands each to the tabs that listen to its topic. */
export function openHub({ clock, timers, log }: Pick<World, 'clock' | 'timers' | 'log'>): OpenHub {
  const history = keepHistory(clock.now() * 1000);
  const readers = new Map<string, Set<Reader>>();
  const joined = new Set<Reader>();

  const emit = (change: Unnumbered) => {
    if (!history.covers(change.topic)) return;
    try {
      const event = history.append(change.topic, (seq) => frameOf(change, seq));
      for (const reader of readers.get(change.topic) ?? []) reader.send(event.text);
    } catch (error) {
      log.error({ err: error, topic: change.topic, type: change.type }, 'A change could not be written');
    }
  };
  const emitCoalesced = coalesce<Unnumbered>(timers, INTERVAL_MS, emit);

  const listen = (reader: Reader, topics: ReadonlySet<string>) => {
    for (const topic of topics) {
      history.begin(topic);
      readers.set(topic, (readers.get(topic) ?? new Set()).add(reader));
    }
    for (const topic of reader.topics) {
      if (topics.has(topic)) continue;
      readers.get(topic)?.delete(reader);
      if (readers.get(topic)?.size === 0) forgetLater(topic);
    }
    reader.topics = topics;
  };
  const forgetLater = (topic: string) => {
    const left = new Set<Reader>();
    readers.set(topic, left);
    timers.after(KEPT_AFTER_LEAVING_MS, () => {
      if (readers.get(topic) !== left || left.size > 0) return;
      readers.delete(topic);
      history.end(topic);
    });
  };
  const stopRecovering = timers.every(RECOVER_MS, () => {
    for (const reader of joined) reader.recover(history.latestSeq());
  });

  return {
    publish: (change) => emitCoalesced(`${change.topic} ${change.type} ${change.id}`, change as Unnumbered),
    watched: (topic) => history.covers(topic),
    readers: () => joined.size,
    stop: stopRecovering,
    join: (outlet) => {
      const reader = createReader(outlet);
      joined.add(reader);
      return {
        subscribe: (topics, since) => {
          // What the tab listens to already has come to it anyway.
          const fresh = topics.filter((topic) => !reader.topics.has(topic));
          const missed = since === undefined || fresh.length === 0 ? [] : history.since(since, fresh);
          listen(reader, new Set(topics));
          for (const event of missed ?? []) reader.send(event.text);
          reader.send(JSON.stringify({ type: missed === null ? 'resync' : 'ready', seq: history.latestSeq() }));
        },
        end: () => {
          joined.delete(reader);
          listen(reader, new Set());
        },
      };
    },
  };
}

function frameOf({ topic, type, id, data }: Unnumbered, seq: number): string {
  const schema: z.ZodMiniType = changeData[type];
  return JSON.stringify({ seq, topic, type, id, data: z.encode(schema, data) });
}
