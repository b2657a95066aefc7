import { type SQL, sql } from 'drizzle-orm';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Db, Timers } from './world.ts';

/** What every process should look at again: said by the one that changed it. */
export type Notice =
  | 'settings_changed'
  | 'trading_controls_changed'
  | 'cache_cleared'
  | 'notification_changed'
  | 'engines_changed'
  | 'batch_called'
  | 'stream_watched'
  | 'stream_changed';

export type Notices = {
  /** Told to every process, this one included, once `tx` has committed, and never when it does not. */
  tell: (tx: Db, notice: Notice, about?: string) => Promise<void>;
  /** The same as a term of a statement in the transaction. */
  telling: (notice: Notice, about: string) => SQL;
  /** The same of several things at once. */
  tellOfEach: (tx: Db, notice: Notice, about: readonly string[]) => Promise<void>;
  /**
   * Calls back whenever somebody tells `notice`, with the id it is about where it is about one thing; without, also
   * when the connection that would have told was down for a while.
   * @returns what ends it
   */
  on: (notice: Notice, react: (about?: string) => void) => () => void;
};

const CHANNEL = 'dutchbook';
const RECONNECT_MS = 1000;
/** It only listens: without a question now and then it would never find out that the other side is gone, or frozen. */
const BEAT_MS = 3000;
const ANSWER_WITHIN_MS = 3000;
const CONNECT_WITHIN_MS = 5000;

type Board = Notices & { hear: (said: string) => void; hearAll: () => void };

function openBoard(): Board {
  const reactions = new Set<{ notice: Notice; react: (about?: string) => void }>();
  return {
    tell: async (tx, notice, about) => {
      const said = about === undefined ? notice : `${notice} ${about}`;
      await tx.execute(sql`select pg_notify(${CHANNEL}, ${said})`);
    },
    telling: (notice, about) => sql`pg_notify(${CHANNEL}, ${`${notice} ${about}`})`,
    tellOfEach: async (tx, notice, about) => {
      if (about.length === 0) return;
      const said = JSON.stringify(about.map((id) => `${notice} ${id}`));
      await tx.execute(sql`select pg_notify(${CHANNEL}, said) from json_array_elements_text(${said}::json) as said`);
    },
    on: (notice, react) => {
      const reaction = { notice, react };
      reactions.add(reaction);
      return () => void reactions.delete(reaction);
    },
    hear: (said) => {
      const end = said.indexOf(' ');
      const told = end === -1 ? said : said.slice(0, end);
      const about = end === -1 ? undefined : said.slice(end + 1);
      for (const { notice, react } of reactions) if (notice === told) react(about);
    },
    hearAll: () => {
      for (const { react } of reactions) react();
    },
  };
}

type Listening = { notices: Notices; close: () => Promise<void> };

/** Over the one connection of an embedded database. */
export async function embeddedNotices(client: {
  listen: (channel: string, heard: (payload: string) => void) => Promise<() => Promise<void>>;
}): Promise<Listening> {
  const board = openBoard();
  const stop = await client.listen(CHANNEL, board.hear);
  return { notices: board, close: () => stop() };
}

/** Over a connection of its own, which is opened again when it breaks or goes silent. @throws when it cannot be opened at first */
export async function postgresNotices(url: string, timers: Timers, log: Logger): Promise<Listening> {
  const board = openBoard();
  let client: Client | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const opened = listeningClient(url);
    opened.on('notification', ({ payload }) => board.hear(payload ?? ''));
    opened.on('error', (error) => {
      log.warn({ err: error }, 'The connection that notices come over broke');
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
      board.hearAll();
    } catch (error) {
      log.warn({ err: error }, 'Notices cannot be listened to');
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
      log.warn({ err: error }, 'The connection that notices come over does not answer');
      reconnect(asked);
      // With a question open, this waits for no goodbye.
      await asked.end();
    }
  }

  await connect();
  const stopBeating = timers.every(BEAT_MS, beat);
  return {
    notices: board,
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
    application_name: 'dutchbook notices',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
}
