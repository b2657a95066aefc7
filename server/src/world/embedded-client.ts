/** The embedded database as the rest of the product speaks to it: its statements run in a thread of their own, so that none holds up what is live. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Mutex, messages, PGlite, type Transaction } from '@electric-sql/pglite';
import { embeddedThread } from '../folders.ts';
import { readAnswer } from './embedded-answer.ts';
import { ask, type Line, openLine, SAID } from './embedded-line.ts';
import type { ThreadData } from './embedded-thread.ts';

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

type Stream = PGlite['execProtocolStream'];

/** PGlite in a thread of its own. Statements and transactions take turns here. */
export class ThreadedPglite extends Asking implements EmbeddedClient {
  readonly debug = 0;
  readonly #thread: Worker;
  readonly #die: Die;
  readonly #line: Line;
  readonly #statements = new Mutex();
  readonly #transactions = new Mutex();
  readonly #heard = new Map<string, Set<(payload: string) => void>>();
  /** It says so by itself after a simple query, and is asked for it all the same. */
  #isReady = false;
  #isClosed = false;

  private constructor(thread: Worker, line: Line, die: Die) {
    super();
    this.#thread = thread;
    this.#line = line;
    this.#die = die;
    thread.on('error', (error) => this.#broke(String(error)));
    thread.on('exit', () => this.#broke('its thread has ended'));
  }

  /** The database in the folder `files`. @throws when it cannot be opened */
  static async open(files: string, die: Die): Promise<ThreadedPglite> {
    const workerData: ThreadData = { files, line: openLine() };
    const thread = new Worker(embeddedThread, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const ended = once(thread, 'exit').then(() => {
      throw new Error('the embedded database ended before it was open');
    });
    await Promise.race([once(thread, 'message'), ended]);
    const client = new ThreadedPglite(thread, workerData.line, die);
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
      if (wrong !== null) return;
      if (one instanceof messages.DatabaseError && throwOnError) wrong = one;
      else if (one instanceof messages.NotificationResponseMessage) this.#notify(one);
      else if (one instanceof messages.NoticeMessage) onNotice?.(one);
      told.push(one);
    });
    if (wrong !== null) throw this.#judged(wrong);
    return told;
  }

  /** It waits for the disk with each commit. */
  async syncToFs(): Promise<void> {}

  /** Files are no part of statements here. */
  async _handleBlob(): Promise<void> {}
  async _getWrittenBlob(): Promise<void> {}
  async _cleanupBlob(): Promise<void> {}

  async _checkReady(): Promise<void> {
    if (this.#isClosed) throw new Error('PGlite is closed');
  }

  _runExclusiveQuery<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#statements.runExclusive(work);
  }

  _runExclusiveTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#transactions.runExclusive(work);
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
    await this._runExclusiveTransaction(async () => {
      this.#isClosed = true;
    });
    const gone = once(this.#thread, 'exit');
    void ask(this.#line, SAID.close, new Uint8Array());
    await gone;
  }

  async #run(message: Uint8Array): Promise<Buffer> {
    this.#isReady = message[0] === SIMPLE_QUERY;
    const { kind, bytes } = await ask(this.#line, SAID.run, message);
    if (kind === SAID.answer) return bytes;
    const reason = bytes.toString();
    if (kind === SAID.dead) this.#die(reason);
    throw new Error(reason);
  }

  #broke(reason: string): void {
    if (!this.#isClosed) this.#die(reason);
  }

  /** A server of its own would end itself on a panic; this one would spin on the lock that it held. */
  #judged(error: messages.DatabaseError): messages.DatabaseError {
    if (error.severity === 'PANIC') this.#die(error.message);
    return error;
  }

  #notify({ channel, payload }: messages.NotificationResponseMessage): void {
    for (const callback of this.#heard.get(channel) ?? []) queueMicrotask(() => callback(payload));
  }
}
