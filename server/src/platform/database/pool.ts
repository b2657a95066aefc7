import { Pool, type PoolClient } from 'pg';
import { DatabaseDown } from './database-down.ts';

/**
 * A pool that gets every connection back. Drizzle 0.45 keeps one for good whose transaction could not even begin, because the
 * server had just gone: after as many of those as there are connections nothing would ever begin again. See
 * https://github.com/drizzle-team/drizzle-orm/issues/6023: once that is mended, only `notReached` is left to do here.
 */
export class DatabasePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void;
  override connect(callback?: Parameters<Pool['connect']>[0]): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      super.connect(callback);
      return undefined;
    }
    return super.connect().then(givenBackUnbegun, notReached);
  }
}

function notReached(error: Error): never {
  throw new DatabaseDown(error.message, { cause: error });
}

function givenBackUnbegun(client: PoolClient): PoolClient {
  const giveBack = client.release.bind(client);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  let isOver = false;
  client.release = (error) => {
    if (isOver) return;
    isOver = true;
    client.query = query as PoolClient['query'];
    giveBack(error);
  };
  client.query = ((...given: unknown[]) => {
    const answer = query(...given);
    if (answer instanceof Promise && isBegin(given[0])) answer.catch(() => client.release(true));
    return answer;
  }) as PoolClient['query'];
  return client;
}

function isBegin(statement: unknown): boolean {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return typeof text === 'string' && /^begin\b/i.test(text);
}
