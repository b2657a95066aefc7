import { Client } from 'pg';
import type { Logger } from 'pino';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { PubSub } from '../runtime/pubsub.ts';
import type { Timers } from '../runtime/runtime.ts';
import { CHANNEL, openChannel } from './pubsub-channel.ts';

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
