import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { fastify } from 'fastify';
import type { Logger } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { users } from '../../people/users/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { registerErrorReplies } from '../http/error-replies.ts';
import { openLog } from './log.ts';
import { openLogSink } from './log-sink.ts';

/** Vitest names a source with a query behind it. */
const LINE_OF_SOURCE = /\.ts(\?vitest=\d+)?:\d+/;

function listeningLog(): { log: Logger; logged: () => string } {
  const lines: string[] = [];
  const log = openLog({ logLevel: 'debug' }, { write: (line: string) => void lines.push(line) });
  return { log, logged: () => lines.join('') };
}

/** What the database says to a statement that it cannot run. */
async function failureOf({ runtime: { db, random, clock } }: TestRuntime, passwordHash: string): Promise<Error> {
  await db.execute(sql`alter table users drop column password_hash`);
  const account = { email: 'ada@example.com', isSuperuser: false, isActive: true, createdAt: clock.now() };
  const failed = db.insert(users).values({ ...account, id: random.uuid(), passwordHash });
  return failed.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  );
}

describe('the log of a failure', () => {
  it('says which statement and why, and nothing of what it was to store, also below another error and of a call', async () => {
    await using test = await openTestRuntime();
    const failure = await failureOf(test, '$argon2id$v=19$secret');
    expect(failure.message).toContain('secret');
    const { log, logged } = listeningLog();
    log.error({ err: failure }, 'API call failed');
    log.error(new Error('It did not work', { cause: failure }));
    const http = fastify({ loggerInstance: log });
    registerErrorReplies(http);
    http.get('/', () => Promise.reject(failure));
    expect((await http.inject('/')).statusCode).toBe(500);
    for (const part of ['Failed query: insert into', 'password_hash', 'does not exist', 'It did not work'])
      expect(logged()).toContain(part);
    expect(logged()).toMatch(LINE_OF_SOURCE);
    expect(logged().match(/Failed query/g)?.length).toBeGreaterThanOrEqual(3);
    for (const part of ['argon2id', 'ada@example.com', 'params']) expect(logged()).not.toContain(part);
  });
});

describe('the log', () => {
  it('keeps secrets out by their names', () => {
    const { log, logged } = listeningLog();
    log.info({ body: { username: 'ada', password: 'hunter2' }, headers: { authorization: 'Bearer hunter2' } }, 'Asked');
    expect(logged()).toContain('ada');
    expect(logged()).not.toContain('hunter2');
  });

  it('keeps out the connection that is named with a broken one', () => {
    const { log, logged } = listeningLog();
    const client = { connectionParameters: { host: '10.0.0.7', password: 'hunter2' } };
    log.warn({ err: Object.assign(new Error('terminated'), { code: '57P01', client }) }, 'database connection broke');
    for (const part of ['terminated', '57P01']) expect(logged()).toContain(part);
    for (const part of ['hunter2', '10.0.0.7', 'client']) expect(logged()).not.toContain(part);
  });

  it('tells an error that is none of the database’s whole', () => {
    const { log, logged } = listeningLog();
    log.warn({ err: Object.assign(new Error('Too late'), { code: 'ETIMEDOUT' }) }, 'Not sent');
    log.warn({ err: 'a text' }, 'Not sent');
    for (const part of ['Too late', 'ETIMEDOUT', '"err":"a text"']) expect(logged()).toContain(part);
    expect(logged()).toMatch(LINE_OF_SOURCE);
  });
});

describe('the log that cannot be written', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['on a full disk', () => openSync('/dev/full', 'w'), 'no space left on device'],
    ['into a file that is read only', () => openSync(import.meta.filename, 'r'), 'bad file descriptor'],
  ])('%s drops its lines and counts them', (_, opened, reason) => {
    const sink = openLogSink(opened());
    const log = openLog({ logLevel: 'info' }, sink);
    expect(sink.state()).toEqual({ dropped: 0, failure: null });
    for (let line = 0; line < 3; line += 1) log.info('Asked');
    expect(sink.state()).toEqual({ dropped: 3, failure: reason });
  });

  it('says how many lines were dropped once it is written again', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('bash', ['-c', 'mkfifo "$0"', pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const sink = openLogSink(descriptor);
    const log = openLog({ logLevel: 'info' }, sink);
    const filler = 'x'.repeat(1000);
    for (let line = 0; line < 1200; line += 1) log.info({ line, filler }, 'Asked');
    const { dropped, failure } = sink.state();
    expect(failure).toBe('nothing reads it');
    expect(dropped).toBeGreaterThan(50);
    let read = '';
    const readMore = () => {
      const bytes = Buffer.alloc(100_000);
      read += bytes.subarray(0, readWithoutWaiting(descriptor, bytes)).toString();
    };
    const isWritten = () => {
      readMore();
      return sink.state().failure === null;
    };
    await expect.poll(isWritten).toBe(true);
    readMore();
    const lines = read
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1).map(({ line }) => line)).toEqual(Array.from({ length: 1200 - dropped }, (_, nth) => nth));
    expect(lines.at(-1)).toMatchObject({ msg: 'log lines dropped', lines: dropped, reason: 'nothing reads it' });
  });

  it.each(['a pipe', 'a socket'])('to %s that is not read holds nothing up', async (kind) => {
    const script = path.join(folder, 'logs.ts');
    const modules = ['log.ts', 'log-sink.ts'].map((name) => pathToFileURL(path.join(import.meta.dirname, name)).href);
    writeFileSync(
      script,
      `import { openLog } from '${modules[0]}'; import { openLogSink } from '${modules[1]}';
      const sink = openLogSink(); const log = openLog({ logLevel: 'info' }, sink);
      for (let line = 0; line < 3000; line += 1) log.info({ filler: 'x'.repeat(1000) }, 'Asked');
      process.stdout.write(JSON.stringify(sink.state()) + '\\n');
      setTimeout(() => {}, 600_000);`,
    );
    // Of a shell the other end is a pipe, of this process a socket.
    const command = kind === 'a pipe' ? `"$0" "$1" 2> >(exec sleep 600 > /dev/null)` : 'exec "$0" "$1"';
    const logging = spawn('bash', ['-c', command, process.execPath, script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const said = await new Promise<string>((resolve) =>
      createInterface({ input: logging.stdout }).once('line', resolve),
    );
    process.kill(-(logging.pid ?? 0), 'SIGKILL');
    expect(JSON.parse(said)).toEqual({ dropped: expect.any(Number), failure: 'nothing reads it' });
  });
});

function readWithoutWaiting(descriptor: number, bytes: Buffer): number {
  try {
    return readSync(descriptor, bytes);
  } catch {
    return 0;
  }
}
