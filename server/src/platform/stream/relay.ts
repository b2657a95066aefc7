/**
 * The stream over several processes: what one of them publishes reaches the tabs of all others that listen to its topic.
 * It travels as pubsub of the database. Who misses some, because its connection broke, has its tabs read everything anew.
 */
import { type Change, changeData } from '@dutchbook/contract/stream.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import * as z from 'zod/mini';
import type { Runtime } from '../runtime/runtime.ts';
import { keyOf, type OpenHub, type WireChange } from './hub.ts';
import type { StreamHub } from './stream-hub.ts';

const SEND_MS = 100;
/** What does not fit into a tick waits for the next one, and of each object only its newest state does. */
const CHANGES_PER_SEND = 200;
/** A notification takes 8,000 bytes with what stands before this. */
const PIECE_LENGTH = 7500;
const WATCHED_AGAIN_MS = 5000;
/** A process that has not said for this long that a tab listens to a topic there has no such tab any more. */
const WATCHED_FOR_MS = 15_000;
const WATCHED_TOPICS_MAX = 20_000;
const TOPICS_PER_NOTIFICATION = 100;
/** Within this time after a tab subscribes, an engine has written the changes that it had held back. */
const CAUGHT_UP_MS = 2000;

export type Relay = { stream: StreamHub; stop: () => void };

type Published = Omit<Change, 'seq'>;
type RelayRuntime = Pick<Runtime, 'clock' | 'db' | 'random' | 'log' | 'pubsub' | 'timers'>;

/**
 * `isAlone`: nothing of what is relayed happens in any other process. Otherwise a tab reads once more what it has read
 * when it began to listen: an engine is ahead of the database until a second after a list is read, and that is not published again.
 * @returns what to publish on, instead of on the hub of this process alone
 */
export function relayStream(runtime: RelayRuntime, hub: OpenHub, isAlone: () => boolean): Relay {
  const { db, random, log, pubsub, timers } = runtime;
  const sender = random.uuid();
  const waiting = new Map<string, Published>();
  const interest = followInterest(runtime, hub, sender);
  const assemble = assembleFrom();

  async function sendWaiting(): Promise<void> {
    if (waiting.size === 0) return;
    const sent = [...waiting].slice(0, CHANGES_PER_SEND);
    for (const [key] of sent) waiting.delete(key);
    try {
      const changes = sent.map(([, change]) => written(change)).filter((change) => change !== null);
      await pubsub.publishEach(db, 'stream_changed', piecesOf(sender, changes));
    } catch (error) {
      for (const [key, change] of sent) if (!waiting.has(key)) waiting.set(key, change);
      log.warn({ err: error }, 'stream changes not sent to other processes, repeated');
    }
  }

  function takeChanged(said: string | undefined): void {
    if (said?.startsWith(sender) || hub.topics().length === 0) return;
    const changes = said === undefined ? 'broken' : assemble(said);
    if (changes === 'broken') hub.missed();
    else if (changes !== 'unfinished') for (const change of changes) hub.take(change);
  }

  const stops = [
    interest.stop,
    pubsub.subscribe('stream_changed', takeChanged),
    timers.every(SEND_MS, sendWaiting),
    hub.onJoined((topics, resync) => {
      if (topics.some(isRelayed) && !isAlone()) timers.after(CAUGHT_UP_MS, resync);
    }),
  ];
  return {
    stream: {
      publish: (change) => {
        hub.publish(change);
        if (interest.isElsewhere(change.topic)) waiting.set(keyOf(change), change as Published);
      },
      watched: (topic) => hub.watched(topic) || interest.isElsewhere(topic),
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

type Interest = { isElsewhere: (topic: string) => boolean; stop: () => void };

/** Says which topics tabs of this process listen to, and follows those at the others. */
function followInterest({ clock, db, log, pubsub, timers }: RelayRuntime, hub: OpenHub, sender: string): Interest {
  const elsewhere = new Map<string, Instant>();
  const isKnown = (topic: string) => (elsewhere.get(topic) ?? 0) > clock.now();
  let unknownUntil = clock.now();
  const logged = (work: Promise<void>) =>
    void work.catch((error: unknown) => log.warn({ err: error }, 'watched topics not sent to other processes'));

  async function publishWatched(topics: readonly string[]): Promise<void> {
    const relayed = topics.filter(isRelayed);
    const said = Array.from({ length: Math.ceil(relayed.length / TOPICS_PER_NOTIFICATION) }, (_, part) => {
      const some = relayed.slice(part * TOPICS_PER_NOTIFICATION, (part + 1) * TOPICS_PER_NOTIFICATION);
      return `${sender} ${some.join(' ')}`;
    });
    await pubsub.publishEach(db, 'stream_watched', said);
  }

  function takeWatched(said: string | undefined): void {
    // A process has just begun, or a message was missed: every process says again what its tabs listen to.
    if (said === undefined) {
      unknownUntil = (clock.now() + WATCHED_AGAIN_MS) as Instant;
      logged(publishWatched(hub.topics()));
      return;
    }
    const [from, ...topics] = said.split(' ');
    if (from === sender) return;
    const begun = topics.filter((topic) => !isKnown(topic));
    if (begun.length > 0) timers.after(CAUGHT_UP_MS, () => logged(publishCaughtUp(begun)));
    for (const topic of topics) elsewhere.set(topic, (clock.now() + WATCHED_FOR_MS) as Instant);
    if (elsewhere.size <= WATCHED_TOPICS_MAX) return;
    // So many that they are not told apart any more: all is sent until they are told anew.
    elsewhere.clear();
    unknownUntil = (clock.now() + WATCHED_FOR_MS) as Instant;
  }

  /** A busy process learns late that a tab listens, and has not published what it found out until then. */
  async function publishCaughtUp(topics: readonly string[]): Promise<void> {
    await pubsub.publish(db, 'stream_caught_up', `${sender} ${topics.join(' ')}`);
  }

  function takeCaughtUp(said = ''): void {
    const [from, ...topics] = said.split(' ');
    if (from !== sender) hub.resync(topics);
  }

  function publishAgain(): void {
    for (const [topic, until] of elsewhere) if (until <= clock.now()) elsewhere.delete(topic);
    logged(publishWatched(hub.topics()));
  }

  const stops = [
    pubsub.subscribe('stream_watched', takeWatched),
    pubsub.subscribe('stream_caught_up', takeCaughtUp),
    hub.onTopics((topics) => logged(publishWatched(topics))),
    timers.every(WATCHED_AGAIN_MS, publishAgain),
  ];
  logged(pubsub.publish(db, 'stream_watched'));
  return {
    isElsewhere: (topic) => isRelayed(topic) && (isKnown(topic) || unknownUntil > clock.now()),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Whether changes of the topic are relayed; every process finds the others by itself. */
function isRelayed(topic: string): boolean {
  return ['opportunities', 'batches', 'chain', 'jobs'].includes(topic) || topic.startsWith('batch:');
}

/** Null where it is none that the contract knows: the hub of this process has said so. */
function written({ topic, type, id, data }: Published): WireChange | null {
  const schema: z.ZodMiniType = changeData[type];
  const encoded = z.safeEncode(schema, data);
  return encoded.success ? { topic, type, id, data: encoded.data } : null;
}

/** As pubsub: who says it, which piece of how many, and the piece. In ASCII, so that every character is one byte. */
function piecesOf(sender: string, changes: readonly WireChange[]): string[] {
  const text = JSON.stringify(changes).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const count = Math.ceil(text.length / PIECE_LENGTH);
  return Array.from({ length: count }, (_, index) => {
    const piece = text.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH);
    return `${sender} ${index + 1}/${count} ${piece}`;
  });
}

/** Puts pieces together, which come in order from each sender: the changes when the last is there; `broken` when one is missing. */
function assembleFrom(): (said: string) => WireChange[] | 'unfinished' | 'broken' {
  const begun = new Map<string, string[]>();
  return (said) => {
    const [, from = '', place, count, piece = ''] = /^(\S+) (\d+)\/(\d+) (.*)$/s.exec(said) ?? [];
    const pieces = place === '1' ? [] : (begun.get(from) ?? []);
    pieces.push(piece);
    begun.delete(from);
    if (pieces.length !== Number(place)) return 'broken';
    if (place === count) return JSON.parse(pieces.join('')) as WireChange[];
    begun.set(from, pieces);
    return 'unfinished';
  };
}
