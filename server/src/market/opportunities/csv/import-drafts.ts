import type { ImportReply } from '@dutchbook/contract/opportunities/import-csv.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { sliced } from '../../../platform/runtime/slices.ts';
import type { Draft, DraftResult } from '../draft.ts';
import { type Insertion, insertDrafts } from '../insert-drafts.ts';
import type { CsvRow } from './csv-file.ts';

const DRAFTS_PER_TRANSACTION = 250;
/** One statement takes them all as one text, however few and long they are. */
const CHARACTERS_PER_TRANSACTION = 500_000;
/** Characters of the file read per tick of the event loop: reading rows does not give way. */
const SLICE_CHARACTERS = 16_384;
/** Work of a row, in characters, besides its own. */
const ROW_COST = 160;
const REASON_LENGTH_MAX = 300;

/** `unknown`: why the venue does not know a market of it. */
type Numbered = { row: number; draft: Draft; unknown: string | null };

/**
 * Stores what can be stored and says what became of every row. A row whose positions stand already, in the table or
 * further up, is a duplicate of that opportunity. Rows are written whole, in transactions of a few hundred; `last` is
 * done at the end of each, also of one that stores nothing, with what has become of the rows up to there.
 */
export async function importDrafts(
  runtime: Runtime,
  rows: Iterable<CsvRow>,
  last: (tx: Db, soFar: ImportReply) => Promise<void> = async () => {},
  resolved: Partial<ImportReply> = {},
): Promise<ImportReply> {
  const reply: ImportReply = {
    ...{ opportunity_ids: [], duplicates: [], errors: [], unknown: [], resolved: [], resolved_count: 0 },
    ...resolved,
  };
  const idOfHash = new Map<string, string>();
  let waiting: Numbered[] = [];
  let rowsSinceStored = 0;
  let charactersWaiting = 0;
  const slices = sliced(SLICE_CHARACTERS);
  const store = async () => {
    await storeChunk(runtime, waiting, idOfHash, reply, last);
    waiting = [];
    rowsSinceStored = 0;
    charactersWaiting = 0;
  };
  for (const { row, characters, result } of rows) {
    if (result.kind === 'refused') reply.errors.push({ row, message: wording(result) });
    else if (result.kind === 'draft') waiting.push({ row, draft: result.draft, unknown: null });
    else if (result.draft !== null) waiting.push({ row, draft: result.draft, unknown: result.reason });
    else reply.unknown.push({ row, message: result.reason.slice(0, REASON_LENGTH_MAX) });
    rowsSinceStored += 1;
    charactersWaiting += characters;
    const isFull = waiting.length >= DRAFTS_PER_TRANSACTION || charactersWaiting >= CHARACTERS_PER_TRANSACTION;
    if (waiting.length > 0 && isFull) await store();
    await slices.spend(characters + ROW_COST);
  }
  if (rowsSinceStored > 0) await store();
  reply.unknown.sort((one, other) => one.row - other.row);
  return reply;
}

async function storeChunk(
  runtime: Runtime,
  chunk: readonly Numbered[],
  idOfHash: Map<string, string>,
  reply: ImportReply,
  last: (tx: Db, soFar: ImportReply) => Promise<void>,
): Promise<void> {
  const fresh = new Map<string, Draft>();
  for (const { draft } of chunk) {
    if (!idOfHash.has(draft.contentHash) && !fresh.has(draft.contentHash)) fresh.set(draft.contentHash, draft);
  }
  await insertDrafts(runtime, [...fresh.values()], async (tx, insertion) => {
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
  for (const { row, draft, unknown } of chunk) {
    const id = idOfHash.get(draft.contentHash);
    if (id === undefined) reply.errors.push({ row, message: 'Was deleted while it was imported; import it again' });
    else if (!unreported.delete(id)) reply.duplicates.push({ row, opportunity_id: id });
    else {
      reply.opportunity_ids.push(id);
      if (unknown !== null) reply.unknown.push({ row, message: unknown, opportunity_id: id });
    }
  }
}

function wording({ field, reason }: Extract<DraftResult, { kind: 'refused' }>): string {
  return (field === null ? reason : `${field}: ${reason}`).slice(0, REASON_LENGTH_MAX);
}
