/** The embedded database as the rest of the product speaks to it: its statements run in a thread of their own, so that none holds up what is live. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Mutex, messages, PGlite, protocol, type Transaction } from '@electric-sql/pglite';
import { embeddedThread } from '../folders.ts';
import { readAnswer } from './embedded-answer.ts';
import { ask, type Line, openLine } from './embedded-line.ts';
import type { ThreadData, ThreadNews } from './embedded-thread.ts';

/** What a database that is embedded offers, whichever thread it runs in. */
export type EmbeddedClient = Pick<
  PGlite,
  | 'query'
  | 'exec'
  | 'transaction'
  | 'listen'
  | 'close'
  | 'parsers'
  | 'serializers'
  | 'runExclusive'
  | 'syncToFs'
  | 'execProtocolStream'
  | '_checkReady'
  | '_runExclusiveTransaction'
>;

/** Ends the process when the database can no longer write: what is asked of it after that never ends. */
export type Die = (reason: string) => never;

/** The part of PGlite that needs no database in its own thread: a class that the library does not give a name. */
const Asking = Object.getPrototypeOf(PGlite) as abstract new () => Pick<
  PGlite,
  'query' | 'exec' | 'transaction' | 'parsers' | 'serializers' | 'runExclusive' | '_initArrayTypes'
>;

/** What its thread makes is used once; left alone, that takes 130 MB before it is collected. */
const YOUNG_MB = 12;

/** What the messages of the wire protocol begin with. */
const [SIMPLE_QUERY, SYNC] = ['Q', 'S'].map((letter) => letter.charCodeAt(0));
const ROLLBACK = protocol.serialize.query('rollback');
/** How the database says, when it is ready, that it takes nothing but a rollback. */
const ABORTED = 'E';

type Stream = PGlite['execProtocolStream'];

/** PGlite in a thread of its own. Statements and transactions take turns here. */
export class ThreadedPglite extends Asking implements EmbeddedClient {
  readonly debug = 0;
  readonly #thread: Worker;
  readonly #line: Line;
  readonly #statements = new Mutex();
  readonly #transactions = new Mutex();
  readonly #heard = new Map<string, Set<(payload: string) => void>>();
  /** An error came in the middle of a transaction that statements began themselves. */
  #isAborted = false;
  /** It says so by itself after a simple query, and is asked for it all the same. */
  #isReady = false;
  /** What is asked from now on is refused; what was asked before is still answered. */
  #isClosing = false;
  #isClosed = false;

  private constructor(thread: Worker, line: Line) {
    super();
    this.#thread = thread;
    this.#line = line;
  }

  /** The database in the folder `files`. @throws when it cannot be opened */
  static async open(files: string, die: Die): Promise<ThreadedPglite> {
    const workerData: ThreadData = { files, line: openLine() };
    const thread = new Worker(embeddedThread, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    await isOpen(thread, die);
    const client = new ThreadedPglite(thread, workerData.line);
    thread.on('error', (error) => die(String(error)));
    thread.on('exit', () => {
      if (!client.#isClosed) die('its thread has ended');
    });
    await client._initArrayTypes();
    return client;
  }

  async execProtocolStream(
    message: Uint8Array,
    { throwOnError = true, onNotice }: Parameters<Stream>[1] = {},
  ): ReturnType<Stream> {
    if (this.#isReady && message[0] === SYNC) return [];
    const told: messages.BackendMessage[] = [];
    let wrong: messages.DatabaseError | null = null;
    readAnswer(await this.#run(message), (one) => {
      if (one instanceof messages.ReadyForQueryMessage) this.#isAborted = one.status === ABORTED;
      if (wrong !== null) return;
      if (one instanceof messages.DatabaseError && throwOnError) wrong = one;
      else if (one instanceof messages.NotificationResponseMessage) this.#notify(one);
      else if (one instanceof messages.NoticeMessage) onNotice?.(one);
      told.push(one);
    });
    if (wrong !== null) throw wrong;
    return told;
  }

  /** It waits for the disk with each commit. */
  async syncToFs(): Promise<void> {}

  /** Files are no part of statements here. */
  async _handleBlob(): Promise<void> {}
  async _getWrittenBlob(): Promise<void> {}
  async _cleanupBlob(): Promise<void> {}

  async _checkReady(): Promise<void> {
    if (this.#isClosing) throw closedError();
  }

  _runExclusiveQuery<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#statements.runExclusive(work);
  }

  /** The next one's turn begins outside of a transaction, whatever `work` leaves behind. */
  _runExclusiveTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#transactions.runExclusive(async () => {
      try {
        return await work();
      } finally {
        if (this.#isAborted) await this._runExclusiveQuery(() => this.execProtocolStream(ROLLBACK));
      }
    });
  }

  async listen(channel: string, callback: (payload: string) => void, tx?: Transaction) {
    const callbacks = this.#heard.get(channel) ?? new Set();
    this.#heard.set(channel, callbacks.add(callback));
    await (tx ?? this).exec(`listen "${channel}"`);
    return async () => void callbacks.delete(callback);
  }

  /** Once all that was asked has been answered. */
  async close(): Promise<void> {
    await this._checkReady();
    this.#isClosing = true;
    const gone = once(this.#thread, 'exit');
    await this._runExclusiveTransaction(() =>
      this._runExclusiveQuery(async () => {
        this.#isClosed = true;
        void ask(this.#line, new Uint8Array());
        await gone;
      }),
    );
  }

  #run(message: Uint8Array): Promise<Buffer> {
    if (this.#isClosed) throw closedError();
    this.#isReady = message[0] === SIMPLE_QUERY;
    return ask(this.#line, message);
  }

  #notify({ channel, payload }: messages.NotificationResponseMessage): void {
    for (const callback of this.#heard.get(channel) ?? []) queueMicrotask(() => callback(payload));
  }
}

/** @throws when it cannot be opened, or ends before it is */
async function isOpen(thread: Worker, die: Die): Promise<void> {
  const ended = once(thread, 'exit').then(() => {
    throw new Error('the embedded database ended before it was open');
  });
  const opened = new Promise<void>((resolve) => {
    thread.on('message', (news: ThreadNews) => (news.isOpen ? resolve() : die(news.reason)));
  });
  await Promise.race([opened, ended]);
}

function closedError(): Error {
  return new Error('PGlite is closed');
}
