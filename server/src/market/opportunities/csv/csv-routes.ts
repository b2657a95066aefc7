import { finished } from 'node:stream/promises';
import {
  CSV_BYTES_MAX,
  type ImportReply,
  importCsv as importCsvCall,
} from '@dutchbook/contract/opportunities/import-csv.ts';
import { exportCsv as exportCsvCall } from '@dutchbook/contract/opportunities.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../../platform/audit/record.ts';
import { sendCsv } from '../../../platform/csv/send-csv.ts';
import type { App } from '../../../platform/http/app.ts';
import { Invalid, Refusal } from '../../../platform/http/errors.ts';
import { readMultipart } from '../../../platform/http/multipart-fields.ts';
import { route } from '../../../platform/http/route.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { filterOf } from '../filter.ts';
import type { LivePrices } from '../live-prices.ts';
import { isByMoving } from '../moved-prices.ts';
import { pagesOfOpportunities } from '../store.ts';
import { openCsv } from './csv-file.ts';
import { exportCsv } from './export-csv.ts';
import { findReferences, reportOf } from './find-references.ts';
import { importDrafts } from './import-drafts.ts';

const NAME_LENGTH_MAX = 200;
const INCOMPLETE = new Invalid(['body', 'file'], 'The upload is not complete multipart/form-data');

export type CsvParts = {
  runtime: Runtime;
  live: Pick<LivePrices, 'rowsNow' | 'moved' | 'readChanges'>;
  catalogue: Pick<VenueCatalogue, 'references'>;
};

export function registerOpportunityCsv(app: App, { runtime, live, catalogue }: CsvParts): void {
  route(app, importCsvCall, async ({ request, actor, countQuestion }) => {
    const { name, chunks } = await uploadedCsv(request);
    const file = await openCsv(chunks);
    if (file.kind === 'refused') throw new Invalid(['body', 'file'], file.reason);
    const references = await findReferences(file, catalogue, countQuestion);
    // A long file is stored in parts, and each leaves an entry: none is there without one, should the rest not follow.
    const note = (tx: Db, { opportunity_ids: ids, duplicates, errors, unknown }: ImportReply) => {
      const refused = { errors: errors.length, unknown: unknown.length };
      const after = { file: name, created: ids.length, duplicates: duplicates.length, ...refused };
      return recordAction(tx, runtime, actor, { action: 'opportunities.imported', object: name, after });
    };
    const reply = await importDrafts(runtime, file.rows(references), note, reportOf(references));
    // Following tens of thousands of new opportunities takes longer than their import; the answer does not wait for it.
    live
      .readChanges()
      .catch((error: unknown) =>
        runtime.log.error({ err: error }, 'imported opportunities not read, followed with the next ones'),
      );
    return reply;
  });

  route(app, exportCsvCall, async ({ query, reply }) => {
    const { exports } = runtime.dbFor;
    const filter = await filterOf(exports, query);
    const moved = isByMoving(filter) ? live.moved() : [];
    const pieces = exportCsv(pagesOfOpportunities(exports, filter, moved), live.rowsNow);
    return sendCsv(reply, 'arbitrage_opportunities', runtime, pieces);
  });
}

/**
 * The uploaded file, which is one and called something.csv. A caller that breaks off has asked for
 * nothing, even where the file has arrived.
 */
async function uploadedCsv(request: FastifyRequest): Promise<{ name: string; chunks: Buffer[] }> {
  if (!request.isMultipart()) throw new Invalid(['body', 'file'], 'Field required');
  const { part, chunks } = await received(request);
  if (part.file.truncated) {
    throw new Refusal(413, `The file is larger than ${CSV_BYTES_MAX / 1_000_000} MB`);
  }
  if (!part.filename.toLowerCase().endsWith('.csv')) {
    throw new Invalid(['body', 'file'], 'Only .csv files can be imported', part.filename.slice(0, 100));
  }
  await finished(request.raw).catch(() => {
    throw INCOMPLETE;
  });
  return { name: keepable(part.filename), chunks };
}

/** A name of any length and of any bytes, as the database and a list of entries can hold it. */
function keepable(name: string): string {
  return name.replaceAll('\0', '').slice(-NAME_LENGTH_MAX).toWellFormed();
}

/** @throws Invalid where no file arrives, or not all of it */
async function received(request: FastifyRequest): Promise<{ part: MultipartFile; chunks: Buffer[] }> {
  const found = await readMultipart(request, INCOMPLETE, async () => {
    const part = await request.file({ limits: { fileSize: CSV_BYTES_MAX, files: 1 }, throwFileSizeLimit: false });
    return part && { part, chunks: await part.file.toArray() };
  });
  if (found === undefined) throw new Invalid(['body', 'file'], 'Field required');
  return found;
}
