import { sql } from 'drizzle-orm';
import { fastify } from 'fastify';
import type { Logger } from 'pino';
import { describe, expect, it } from 'vitest';
import { registerErrorReplies } from '../http/error-replies.ts';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';
import { users } from '../users/table.ts';
import { openLog } from './log.ts';

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
    for (const part of ['Failed query: insert into', 'password_hash', 'does not exist', 'It did not work', '.ts:'])
      expect(logged()).toContain(part);
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

  it('keeps out the connection that a broken one is told with', () => {
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
    for (const part of ['Too late', 'ETIMEDOUT', '.ts:', '"err":"a text"']) expect(logged()).toContain(part);
  });
});
