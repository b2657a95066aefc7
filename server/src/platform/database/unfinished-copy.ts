/** Marks a database while rows are copied into it, so that the server refuses to start on an incomplete copy. */

export type Session = { query: (text: string, parameters?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }> };

export class UnfinishedCopy extends Error {
  override readonly name = 'UnfinishedCopy';
}

/** The id of the database from which an unfinished copy comes, and from which alone it goes on; null without one. */
export async function sourceOfUnfinishedCopy(target: Session): Promise<string | null> {
  const { rows } = await target.query("select to_regclass('dutchbook_copy.source') is not null as is_marked");
  if (rows[0]?.is_marked !== true) return null;
  const marks = await target.query('select id from dutchbook_copy.source');
  return String(marks.rows[0]?.id);
}

export async function markUnfinishedCopy(target: Session, sourceId: string): Promise<void> {
  await target.query('begin');
  await target.query('create schema dutchbook_copy');
  await target.query('create table dutchbook_copy.source (id text not null)');
  await target.query('insert into dutchbook_copy.source values ($1)', [sourceId]);
  await target.query('commit');
}

export async function removeUnfinishedCopyMark(target: Session): Promise<void> {
  await target.query('drop schema dutchbook_copy cascade');
}

/** Called before the server uses the database. @throws UnfinishedCopy */
export async function refuseUnfinishedCopy(database: Session): Promise<void> {
  if ((await sourceOfUnfinishedCopy(database)) === null) return;
  throw new UnfinishedCopy(
    'The database holds an unfinished copy: run npm run copy-database again, from the database it was begun with, until it is done.',
  );
}
