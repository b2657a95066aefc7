/** Transactions whose statements leave together, so that one round trip to the database carries several of them. */
import type { SQLWrapper } from 'drizzle-orm';
import type { Pool, PoolClient } from 'pg';
import type { Db } from '../runtime/runtime.ts';
import { executeNamed, named } from './named.ts';

/**
 * Sends a statement without waiting for those before it, after which the database carries it out, and answers its rows by
 * the names of their columns. Its text is prepared once on each connection: what is sent so has few different texts.
 */
export type Send = <Row = unknown>(statement: SQLWrapper) => Promise<Row[]>;

export type Pipeline = {
  send: Send;
  /** Sends the last statements and the commit with them: where one of them fails, the database takes everything back. */
  commitWith: (last: readonly SQLWrapper[]) => Promise<void>;
};

/**
 * A transaction on a connection of `db`, which has to be one that takes statements before it has answered others. It is
 * taken back where `work` throws or does not commit.
 */
export async function pipelined<Result>(db: Db, work: (pipeline: Pipeline) => Promise<Result>): Promise<Result> {
  const client = await poolOf(db).connect();
  let isCommitted = false;
  const begun = client.query('begin');
  begun.catch(() => {});
  const commitWith = async (last: readonly SQLWrapper[]) => {
    // Nothing is to be written outside a transaction; where anything else has been answered, this is known by now.
    await begun;
    const sent = last.map((statement) => send(client, statement));
    const [{ command }] = await Promise.all([client.query('commit'), ...sent]);
    if (command !== 'COMMIT') throw new Error('a transaction was taken back where it was to be committed');
    isCommitted = true;
  };
  try {
    const result = await work({ send: (statement) => send(client, statement), commitWith });
    await begun;
    return result;
  } finally {
    if (isCommitted) client.release();
    else
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      );
  }
}

/** Sends statements of a transaction that others have begun, each once the one before it is answered. */
export function inOrder(tx: Db): Send {
  let last: Promise<unknown> = Promise.resolve();
  return <Row>(statement: SQLWrapper) => {
    const answer = last.then(() => executeNamed<Row>(tx, statement));
    // After one has failed, those behind it fail with it and are not awaited.
    answer.catch(() => {});
    last = answer;
    return answer;
  };
}

function send<Row>(client: PoolClient, statement: SQLWrapper): Promise<Row[]> {
  const { name, text, params } = named(statement);
  const answer = client.query({ name, text }, params).then(({ rows }) => rows as Row[]);
  // After one has failed, those behind it fail with it and are not awaited.
  answer.catch(() => {});
  return answer;
}

function poolOf(db: Db): Pool {
  return (db as unknown as { $client: Pool }).$client;
}
