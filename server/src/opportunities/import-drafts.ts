import { setImmediate } from 'node:timers/promises';
import type { ImportReply } from '@dutchbook/contract/opportunities.ts';
import type { Db, World } from '../world/world.ts';
import type { Draft, DraftResult } from './draft.ts';
import { type Insertion, insertDrafts } from './store.ts';

const DRAFTS_PER_TRANSACTION = 250;
/** Others are served in between: neither reading rows nor the embedded database gives way by itself. */
const ROWS_PER_TURN = 100;

type Numbered = { row: number; draft: Draft };

/**
 * Stores what can be stored and says what became of every row. A row whose positions stand already, in the table or
 * further up, is a duplicate of that opportunity. Rows are written whole, in transactions of a few hundred; `last` is
 * done at the end of each, also of one that stores nothing, with what has become of the rows up to there.
 */
export async function importDrafts(
  world: World,
  rows: Iterable<{ row: number; result: DraftResult }>,
  last: (tx: Db, soFar: ImportReply) => Promise<void> = async () => {},
): Promise<ImportReply> {
  const reply: ImportReply = { opportunity_ids: [], duplicates: [], errors: [] };
  const idOfHash = new Map<string, string>();
  let waiting: Numbered[] = [];
  let rowsSinceStored = 0;
  const store = async () => {
    await storeChunk(world, waiting, idOfHash, reply, last);
    waiting = [];
    rowsSinceStored = 0;
  };
  for (const { row, result } of rows) {
    if (result.kind === 'refused') reply.errors.push({ row, message: wording(result) });
    else waiting.push({ row, draft: result.draft });
    rowsSinceStored += 1;
    if (waiting.length >= DRAFTS_PER_TRANSACTION) await store();
    if (row % ROWS_PER_TURN === 0) await setImmediate();
  }
  if (rowsSinceStored > 0) await store();
  return reply;
}

async function storeChunk(
  world: World,
  chunk: readonly Numbered[],
  idOfHash: Map<string, string>,
  reply: ImportReply,
  last: (tx: Db, soFar: ImportReply) => Promise<void>,
): Promise<void> {
  const fresh = new Map<string, Draft>();
  for (const { draft } of chunk) {
    if (!idOfHash.has(draft.contentHash) && !fresh.has(draft.contentHash)) fresh.set(draft.contentHash, draft);
  }
  await insertDrafts({ ...world, db: world.patientDb }, [...fresh.values()], async (tx, insertion) => {
    report(chunk, insertion, idOfHash, reply);
    await last(tx, reply);
  });
}

function report(
  chunk: readonly Numbered[],
  { created, existing }: Insertion,
  idOfHash: Map<string, string>,
  reply: ImportReply,
): void {
  const unreported = new Set(created.values());
  for (const [contentHash, id] of [...created, ...existing]) idOfHash.set(contentHash, id);
  for (const { row, draft } of chunk) {
    const id = idOfHash.get(draft.contentHash);
    if (id === undefined) reply.errors.push({ row, message: 'Was deleted while it was imported; import it again' });
    else if (unreported.delete(id)) reply.opportunity_ids.push(id);
    else reply.duplicates.push({ row, opportunity_id: id });
  }
}

function wording({ field, reason }: Extract<DraftResult, { kind: 'refused' }>): string {
  return field === null ? reason : `${field}: ${reason}`;
}
