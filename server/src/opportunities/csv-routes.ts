import { Readable } from 'node:stream';
import {
  CSV_BYTES_MAX,
  exportCsv as exportCsvCall,
  importCsv as importCsvCall,
} from '@dutchbook/contract/opportunities.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Invalid, Refusal } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { LivePrices } from '../trading/prices/live-prices.ts';
import type { World } from '../world/world.ts';
import { openCsv } from './csv-file.ts';
import { exportCsv } from './export-csv.ts';
import { importDrafts } from './import-drafts.ts';
import { pagesOfOpportunities } from './store.ts';

const NAME_LENGTH_MAX = 200;

export type CsvParts = { world: World; live: Pick<LivePrices, 'rowsNow' | 'notice'> };

export function registerOpportunityCsv(app: App, { world, live }: CsvParts): void {
  route(app, importCsvCall, async ({ request, actor }) => {
    const { name, bytes } = await uploadedCsv(request);
    const file = openCsv(bytes);
    if (file.kind === 'refused') throw new Invalid(['body', 'file'], file.reason);
    // A long file is stored in parts, and each leaves an entry: none is there without one, should the rest not follow.
    const reply = await importDrafts(world, file.rows, (tx, { opportunity_ids: ids, duplicates, errors }) => {
      const after = { file: name, created: ids.length, duplicates: duplicates.length, errors: errors.length };
      return recordAction(tx, world, actor, { action: 'opportunities.imported', object: name, after });
    });
    // Following tens of thousands of new opportunities takes longer than their import; the answer does not wait for it.
    live
      .notice()
      .catch((error: unknown) => world.log.error({ err: error }, 'imported opportunities are not followed yet'));
    return reply;
  });

  route(app, exportCsvCall, ({ query, reply }) => {
    const name = `arbitrage_opportunities_${instantToIso(world.clock.now()).slice(0, 10)}.csv`;
    const pages = pagesOfOpportunities(world.patientDb, { active: query.active, triggered: query.triggered });
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportCsv(pages, live.rowsNow)));
  });
}

/** The uploaded file, which is one and called something.csv. */
async function uploadedCsv(request: FastifyRequest): Promise<{ name: string; bytes: Buffer }> {
  if (!request.isMultipart()) throw new Invalid(['body', 'file'], 'Field required');
  const { part, bytes } = await received(request);
  if (part.file.truncated) {
    throw new Refusal(413, `The file is larger than ${CSV_BYTES_MAX / 1_000_000} MB`);
  }
  if (!part.filename.toLowerCase().endsWith('.csv')) {
    throw new Invalid(['body', 'file'], 'Only .csv files can be imported', part.filename.slice(0, 100));
  }
  return { name: keepable(part.filename), bytes };
}

/** A name of any length and of any bytes, as the database and a list of entries can hold it. */
function keepable(name: string): string {
  return name.replaceAll('\0', '').slice(-NAME_LENGTH_MAX).toWellFormed();
}

/** @throws Invalid where no file arrives, or not all of it */
async function received(request: FastifyRequest): Promise<{ part: MultipartFile; bytes: Buffer }> {
  try {
    const part = await request.file({ limits: { fileSize: CSV_BYTES_MAX, files: 1 }, throwFileSizeLimit: false });
    if (part !== undefined) return { part, bytes: await part.toBuffer() };
  } catch (error) {
    // The framework's own refusals say what they are by a code; what its parser stumbles over says nothing.
    if (!(error instanceof Error) || 'code' in error) throw error;
    throw new Invalid(['body', 'file'], 'The upload is not complete multipart/form-data');
  }
  throw new Invalid(['body', 'file'], 'Field required');
}
