import { type Change, changeData } from '@dutchbook/contract/stream.ts';
import * as z from 'zod/mini';
import { openListeners } from '../runtime/listeners.ts';
import type { Runtime, Timers } from '../runtime/runtime.ts';
import { type History, KEPT_AFTER_LEAVING_MS, keepHistory, SEQ_STEP } from './history.ts';
import type { StreamHub } from './stream-hub.ts';

/** Five changes per second and object. */
const INTERVAL_MS = 200;
const RECOVER_MS = 200;

type Unnumbered = Omit<Change, 'seq'>;

/** A change as it stands in a frame. */
export type WireChange = { topic: string; type: string; id: string; data: unknown };

/** The part of a WebSocket that a reader needs. */
export type Outlet = { send: (text: string) => void; bufferedAmount: number };

export type Subscription = {
  /** Listens to these topics instead of the ones before, and sends what was missed since `since`. */
  subscribe: (topics: readonly string[], since: number | undefined) => void;
  end: () => void;
};

type Joined = (topics: readonly string[], resync: () => void) => void;

export type OpenHub = StreamHub & {
  join: (outlet: Outlet) => Subscription;
  /** Tabs that are connected. */
  readers: () => number;
  /** Hands on a change that another process has published. */
  take: (change: WireChange) => void;
  /** Changes of others may not have come here: every tab has to read everything again. */
  missed: () => void;
  /** Has the tabs that listen to one of the topics read everything again. */
  resync: (topics: readonly string[]) => void;
  /** All topics that a tab listens to, or has just listened to. */
  topics: () => string[];
  /** Calls back with topics that get their first subscriber. @returns what ends it */
  onTopics: (react: (topics: readonly string[]) => void) => () => void;
  /** Calls back with topics that one tab did not listen to before, and with what has it read everything again. */
  onJoined: (react: Joined) => () => void;
  stop: () => void;
};

/** Numbers changes, remembers the last of them and hands each to the tabs that listen to its topic. */
export function openHub({ clock, random, timers, log }: Pick<Runtime, 'clock' | 'random' | 'timers' | 'log'>): OpenHub {
  const history = keepHistory(clock.now() * SEQ_STEP + Math.floor(random.fraction() * SEQ_STEP));
  const begun = openListeners<[topics: readonly string[]]>();
  const listening = openListeners<Parameters<Joined>>();
  const readers = new Map<string, Set<Reader>>();
  const joined = new Set<Reader>();

  const emit = (unwritten: Unwritten) => {
    const { topic, type } = unwritten.change ?? unwritten.wire;
    if (!history.covers(topic)) return;
    try {
      const event = history.append(topic, (seq) => frameOf(unwritten, seq));
      for (const reader of readers.get(topic) ?? []) reader.send(event.text);
    } catch (error) {
      log.error({ err: error, topic, type }, 'stream change could not be encoded');
    }
  };
  const emitCoalesced = coalesce<Unwritten>(timers, INTERVAL_MS, emit);

  const listen = keepReaders(timers, history, readers, begun.call);
  const stopRecovering = timers.every(RECOVER_MS, () => {
    for (const reader of joined) reader.recover(history.latestSeq());
  });

  return {
    publish: (change) => emitCoalesced(keyOf(change), { change: change as Unnumbered }),
    take: (wire) => emitCoalesced(keyOf(wire), { wire }),
    missed: () => {
      history.gap();
      for (const reader of joined) reader.resync(history.latestSeq());
    },
    resync: (topics) => {
      const listeners = new Set(topics.flatMap((topic) => [...(readers.get(topic) ?? [])]));
      for (const reader of listeners) reader.resync(history.latestSeq());
    },
    topics: history.topics,
    onTopics: begun.add,
    onJoined: listening.add,
    watched: (topic) =>
      topic.endsWith(':') ? history.topics().some((one) => one.startsWith(topic)) : history.covers(topic),
    readers: () => joined.size,
    stop: stopRecovering,
    join: (outlet) => {
      const reader = createReader(outlet);
      joined.add(reader);
      return {
        subscribe: (topics, since) => {
          // The tab has already received what it listens to.
          const fresh = topics.filter((topic) => !reader.topics.has(topic));
          const missed = since === undefined || fresh.length === 0 ? [] : history.since(since, fresh);
          listen(reader, new Set(topics));
          for (const event of missed ?? []) reader.send(event.text);
          reader.send(JSON.stringify({ type: missed === null ? 'resync' : 'ready', seq: history.latestSeq() }));
          const resync = () => {
            if (joined.has(reader)) reader.resync(history.latestSeq());
          };
          if (fresh.length > 0) listening.call(fresh, resync);
        },
        end: () => {
          joined.delete(reader);
          listen(reader, new Set());
        },
      };
    },
  };
}

/**
 * Passes on at most one value per key and interval, at once where it can: of what comes too soon only the latest is
 * kept, and passed on when its time has come.
 */
function coalesce<Value>(
  timers: Timers,
  intervalMs: number,
  pass: (value: Value) => void,
): (key: string, value: Value) => void {
  const held = new Map<string, { latest: Value | null }>();

  const passNow = (key: string, value: Value) => {
    held.set(key, { latest: null });
    timers.after(intervalMs, () => {
      const latest = held.get(key)?.latest ?? null;
      held.delete(key);
      if (latest !== null) passNow(key, latest);
    });
    pass(value);
  };

  return (key, value) => {
    const holding = held.get(key);
    if (holding) holding.latest = value;
    else passNow(key, value);
  };
}

/** Beyond this many bytes not yet taken by the network, a tab is too slow to be sent every change. */
const BUFFERED_MAX = 1_000_000;

/**
 * One tab's end of the stream. A tab that does not keep up is sent nothing more until it has read what lies there, and
 * then sent the order to read everything again: memory stays bounded, and no change is lost unnoticed.
 */
type Reader = {
  topics: ReadonlySet<string>;
  send: (text: string) => void;
  /** Sends `{type: 'resync'}` to a tab that has caught up. */
  recover: (latestSeq: number) => void;
  /** Tells the tab, as soon as it has caught up, to read everything again. */
  resync: (latestSeq: number) => void;
};

function createReader(outlet: Outlet): Reader {
  let behind = false;
  const resync = (latestSeq: number) => {
    behind = outlet.bufferedAmount > 0;
    if (!behind) outlet.send(JSON.stringify({ type: 'resync', seq: latestSeq }));
  };
  return {
    topics: new Set(),
    send: (text) => {
      behind ||= outlet.bufferedAmount > BUFFERED_MAX;
      if (!behind) outlet.send(text);
    },
    recover: (latestSeq) => {
      if (behind) resync(latestSeq);
    },
    resync,
  };
}

/** Topics without a listener that are kept at most, so that subscribing to ever new ones does not fill the memory. */
const KEPT_TOPICS_MAX = 2000;

/** Which reader listens to which topics. A topic that the last one has left is kept for a while. @returns what changes a reader's */
function keepReaders(
  timers: Runtime['timers'],
  history: History,
  readers: Map<string, Set<Reader>>,
  onBegun: (topics: readonly string[]) => void,
): (reader: Reader, topics: ReadonlySet<string>) => void {
  /** What ends the wait of each without a listener, the oldest first. */
  const left = new Map<string, () => void>();
  const forget = (topic: string) => {
    left.get(topic)?.();
    left.delete(topic);
    readers.delete(topic);
    history.end(topic);
  };
  const forgetLater = (topic: string) => {
    left.set(
      topic,
      timers.after(KEPT_AFTER_LEAVING_MS, () => forget(topic)),
    );
    const [oldest] = left.keys();
    if (left.size > KEPT_TOPICS_MAX && oldest !== undefined) forget(oldest);
  };
  return (reader, topics) => {
    const begun = [...topics].filter((topic) => !history.covers(topic));
    for (const topic of topics) {
      left.get(topic)?.();
      left.delete(topic);
      history.begin(topic);
      readers.set(topic, (readers.get(topic) ?? new Set()).add(reader));
    }
    for (const topic of reader.topics) {
      if (topics.has(topic)) continue;
      readers.get(topic)?.delete(reader);
      if (readers.get(topic)?.size === 0) forgetLater(topic);
    }
    reader.topics = topics;
    if (begun.length > 0) onBegun(begun);
  };
}

/** Published here, and to be written as the contract says; or as another process has written it. */
type Unwritten = { change: Unnumbered; wire?: never } | { wire: WireChange; change?: never };

/** On a topic there is one type of change for each object, beside its deletion: neither is published after what came later. */
export function keyOf({ topic, id }: Pick<WireChange, 'topic' | 'id'>): string {
  return `${topic} ${id}`;
}

function frameOf({ change, wire }: Unwritten, seq: number): string {
  if (wire !== undefined) return JSON.stringify({ seq, ...wire });
  const { topic, type, id, data } = change;
  const schema: z.ZodMiniType = changeData[type];
  return JSON.stringify({ seq, topic, type, id, data: z.encode(schema, data) });
}
