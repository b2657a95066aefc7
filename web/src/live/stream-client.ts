import {
  type Change,
  type ClientFrame,
  changeData,
  changeFrame,
  controlFrame,
  STREAM_CLOSED,
} from '@dutchbook/contract/stream.ts';
import { backOffMs } from '@dutchbook/units/back-off.ts';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';

/** Silence after which the server is asked whether it is still there, and how long it may take to answer. */
const QUIET_MS = 1_500;
const ANSWER_MS = 1_000;
/** A connection that stays silent this much longer is given up. */
const GIVE_UP_MS = 5_500;
/** A connection that has not opened by then is given up: tabs that load at once wait for one another's connections to the server. */
const OPEN_MS = 10_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 2_000;

export type Link = 'connecting' | 'live' | 'stale' | 'offline';

/** The part of a WebSocket that the client uses. */
export type Socket = { send: (text: string) => void; close: () => void };
export type SocketListeners = { onOpen: () => void; onText: (text: string) => void; onClose: (code: number) => void };

export type Surroundings = {
  openSocket: (listeners: SocketListeners) => Socket;
  readToken: () => string | null;
  clock: Clock;
  /** 0 to 1: spreads the reconnects of many tabs. */
  random: () => number;
  onChange: (change: Change) => void;
  /** What is on screen may have gaps: read it again. */
  onResync: () => void;
  /** The server sends all topics that are followed now. */
  onCurrent?: () => void;
  /** The session is over: asking again with the same token is useless. */
  onRefused: () => void;
};

/** The tab's one WebSocket: authenticates, subscribes, notices silence, and comes back without losing a change. */
export class StreamClient {
  readonly #around: Surroundings;
  readonly #followers = new Map<string, number>();
  readonly #linkListeners = new Set<() => void>();
  #socket: Socket | undefined;
  #link: Link = 'connecting';
  #latestSeq: number | undefined;
  #failures = 0;
  #cancelTimer = () => {};
  #receivedAtMs = 0;
  #isListening = false;
  #subscribePlanned = false;
  #topicsSent: ReadonlySet<string> = new Set();
  #answersDue = 0;
  /** The latest number when the first of the topics was followed of which the server has not said yet that it sends them. */
  #unsureSince: number | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  readonly open = (): void => {
    const token = this.#around.readToken();
    if (token === null) return;
    const opened: Socket = this.#around.openSocket({
      onOpen: () => {
        if (this.#socket === opened) this.#greet(token);
      },
      onText: (text) => {
        if (this.#socket === opened) this.#receive(text);
      },
      onClose: (code) => {
        if (this.#socket !== opened) return;
        if (code === STREAM_CLOSED.refused) this.#refused();
        else this.#lost();
      },
    });
    this.#socket = opened;
    this.#wait(OPEN_MS, () => this.#drop());
  };

  readonly close = (): void => {
    const closing = this.#socket;
    this.#socket = undefined;
    this.#latestSeq = undefined;
    this.#unsureSince = undefined;
    this.#isListening = false;
    this.#cancelTimer();
    closing?.close();
    this.#setLink('connecting');
  };

  /** Keeps `topic` subscribed until the answer is called. */
  follow(topic: string): () => void {
    this.#followers.set(topic, (this.#followers.get(topic) ?? 0) + 1);
    if (!this.#topicsSent.has(topic)) this.#unsureSince ??= this.#latestSeq;
    this.#planSubscribe();
    return () => {
      const left = (this.#followers.get(topic) ?? 1) - 1;
      if (left > 0) this.#followers.set(topic, left);
      else this.#followers.delete(topic);
    };
  }

  /** Connects at once instead of waiting for the next attempt. */
  readonly retryNow = (): void => {
    if (this.#socket === undefined && this.#link === 'offline') this.#wait(0, this.open);
  };

  /** Whether the server has said that it sends all topics that are followed. */
  readonly isCurrent = (): boolean => this.#link === 'live' && this.#answersDue === 0 && !this.#lacksTopic();

  readonly link = (): Link => this.#link;

  readonly onLink = (listener: () => void): (() => void) => {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  };

  #greet(token: string): void {
    this.#send({ type: 'auth', token });
    this.#answersDue = 0;
    this.#subscribe();
    this.#expectAnswer();
  }

  #setLink(next: Link): void {
    if (next === this.#link) return;
    this.#link = next;
    // While it was not, nothing was said of what came on screen.
    if (next === 'live' && this.#lacksTopic()) this.#planSubscribe();
    for (const listener of this.#linkListeners) listener();
  }

  #wait(delayMs: number, then: () => void): void {
    this.#isListening = false;
    this.#cancelTimer();
    this.#cancelTimer = this.#around.clock.after(delayMs, then);
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #subscribe(): void {
    const seq = this.#unsureSince ?? this.#latestSeq;
    const topics = [...this.#followers.keys()];
    this.#send({ type: 'subscribe', topics, ...(seq === undefined ? {} : { since: seq }) });
    this.#topicsSent = new Set(topics);
    this.#answersDue += 1;
  }

  #lacksTopic(): boolean {
    return [...this.#followers.keys()].some((topic) => !this.#topicsSent.has(topic));
  }

  /** Screens follow several topics as they appear; one frame says them all. */
  #planSubscribe(): void {
    if (this.#subscribePlanned || this.#link !== 'live') return;
    this.#subscribePlanned = true;
    queueMicrotask(() => {
      this.#subscribePlanned = false;
      if (this.#link === 'live') this.#subscribe();
    });
  }

  #receive(text: string): void {
    this.#listen();
    if (this.#link === 'stale') this.#setLink('live');
    const frame = readFrame(text);
    if (frame === undefined) return;
    if ('control' in frame) this.#obey(frame.control);
    else this.#take(frame.change);
  }

  /** Asks when nothing has come for a while. One timer looks when that was: frames come too often for a timer each. */
  #listen(): void {
    this.#receivedAtMs = this.#around.clock.nowMs();
    if (!this.#isListening) this.#askWhenQuiet(QUIET_MS);
  }

  #askWhenQuiet(delayMs: number): void {
    this.#wait(delayMs, () => {
      const quietMs = this.#around.clock.nowMs() - this.#receivedAtMs;
      // Negative when the clock was set back.
      if (quietMs >= 0 && quietMs < QUIET_MS) return this.#askWhenQuiet(QUIET_MS - quietMs);
      this.#subscribe();
      this.#expectAnswer();
    });
    this.#isListening = true;
  }

  #take(change: Change): void {
    this.#latestSeq = Math.max(this.#latestSeq ?? 0, change.seq);
    this.#around.onChange(change);
  }

  #obey(frame: ControlFrame): void {
    if (frame.type === 'error') return;
    const gap = frame.type === 'resync' || this.#latestSeq === undefined;
    // After a resync the server may have started counting anew, so its number stands even when it is lower.
    this.#latestSeq = frame.type === 'resync' ? frame.seq : Math.max(this.#latestSeq ?? 0, frame.seq);
    this.#answersDue = frame.type === 'resync' ? 0 : Math.max(0, this.#answersDue - 1);
    // Data read after a resync is current, also where its topic is subscribed only later.
    if (frame.type === 'resync' || (this.#answersDue === 0 && !this.#lacksTopic())) this.#unsureSince = undefined;
    this.#failures = 0;
    this.#setLink('live');
    if (gap) this.#around.onResync();
    if (this.isCurrent()) this.#around.onCurrent?.();
  }

  #expectAnswer(): void {
    this.#wait(ANSWER_MS, () => {
      this.#setLink('stale');
      this.#wait(GIVE_UP_MS, () => this.#drop());
    });
  }

  /** Closing a dead connection can take minutes to be confirmed, so it is not awaited. */
  #drop(): void {
    const silent = this.#socket;
    this.#lost();
    silent?.close();
  }

  #refused(): void {
    this.close();
    this.#around.onRefused();
  }

  #lost(): void {
    this.#socket = undefined;
    this.#setLink('offline');
    const delayMs = backOffMs(this.#failures, { firstMs: BACKOFF_FIRST_MS, slowestMs: BACKOFF_MAX_MS });
    this.#failures += 1;
    this.#wait(delayMs * (0.5 + this.#around.random() / 2), this.open);
  }
}

type ControlFrame = z.output<typeof controlFrame>;

/** A frame of the server, decoded; `undefined` for one this page does not understand. */
function readFrame(text: string): { control: ControlFrame } | { change: Change } | undefined {
  const raw = parseJson(text);
  // Thousands of changes may come in a second, and hardly any other frame.
  const frame = z.safeDecode(changeFrame, raw as z.input<typeof changeFrame>);
  if (!frame.success) return readControl(raw);
  const { seq, topic, type, id, data } = frame.data;
  const decoded = z.safeDecode<z.ZodMiniType>(changeData[type], data);
  return decoded.success ? { change: { seq, topic, type, id, data: decoded.data } as Change } : undefined;
}

function readControl(raw: unknown): { control: ControlFrame } | undefined {
  const control = z.safeDecode(controlFrame, raw as z.input<typeof controlFrame>);
  return control.success ? { control: control.data } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
