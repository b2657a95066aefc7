import type { SQL } from 'drizzle-orm';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { Db, Timers } from '../runtime.ts';
import { CHANNEL, openChannel } from './pubsub-channel.ts';

/** What every process should read again: published by the one that changed it. */
export type PubSubTopic =
  | 'settings_changed'
  | 'trading_controls_changed'
  | 'fee_stops_changed'
  | 'cache_cleared'
  | 'relations_changed'
  | 'discovery_settings_changed'
  | 'notification_changed'
  | 'engines_changed'
  | 'prices_listed'
  | 'opportunity_deleted'
  | 'batch_called'
  | 'chain_called'
  | 'sessions_ended'
  | 'exit_settings_changed'
  | 'security_settings_changed'
  | 'report_settings_changed'
  | 'stream_watched'
  | 'stream_changed';

export type PubSub = {
  /** Reaches every process, this one included, once `tx` has committed, and never when it does not. */
  publish: (tx: Db, topic: PubSubTopic, about?: string) => Promise<void>;
  /** The same as a term of a statement in the transaction. */
  publishing: (topic: PubSubTopic, about: string) => SQL;
  /** The same of several things at once. */
  publishEach: (tx: Db, topic: PubSubTopic, about: readonly string[]) => Promise<void>;
  /**
   * Calls back whenever somebody publishes `topic`, with the id it is about where it is about one thing; without, also
   * when the connection was down for a while.
   * @returns what ends it
   */
  subscribe: (topic: PubSubTopic, react: (about?: string) => void) => () => void;
};

const RECONNECT_MS = 1000;
/** It only listens: without a question now and then it would never find out that the other side is gone, or frozen. */
const BEAT_MS = 3000;
const ANSWER_WITHIN_MS = 3000;
const CONNECT_WITHIN_MS = 5000;

type Listening = { pubsub: PubSub; close: () => Promise<void> };

/** Over a connection of its own, which is opened again when it breaks or goes silent. @throws when it cannot be opened at first */
export async function openPubSub(url: string, timers: Timers, log: Logger): Promise<Listening> {
  const channel = openChannel();
  const failures = openFailureLog(log, 'warn', 'pubsub connection not opened, tried again');
  let client: Client | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const opened = listeningClient(url);
    opened.on('notification', ({ payload }) => channel.receive(payload ?? ''));
    opened.on('error', (error) => {
      log.warn({ err: error }, 'pubsub connection broke');
      reconnect(opened);
    });
    opened.on('end', () => reconnect(opened));
    await opened.connect();
    try {
      await opened.query(`listen ${CHANNEL}`);
    } catch (error) {
      await opened.end();
      throw error;
    }
    if (closed) await opened.end();
    else client = opened;
  }

  function reconnect(lost: Client): void {
    if (closed || client !== lost) return;
    client = null;
    timers.after(RECONNECT_MS, tryAgain);
  }

  async function tryAgain(): Promise<void> {
    if (closed) return;
    try {
      await connect();
      failures.succeeded();
      channel.callAll();
    } catch (error) {
      failures.failed(error);
      timers.after(RECONNECT_MS, tryAgain);
    }
  }

  async function beat(): Promise<void> {
    const asked = client;
    try {
      await asked?.query('select 1');
    } catch (error) {
      // One that broke has been given up already.
      if (asked === null || client !== asked) return;
      log.warn({ err: error }, 'pubsub connection does not answer');
      reconnect(asked);
      // With a question open, this waits for no goodbye.
      await asked.end();
    }
  }

  await connect();
  const stopBeating = timers.every(BEAT_MS, beat);
  return {
    pubsub: channel,
    close: async () => {
      closed = true;
      stopBeating();
      await client?.end();
    },
  };
}

function listeningClient(connectionString: string): Client {
  return new Client({
    connectionString,
    application_name: 'dutchbook pubsub',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
}
