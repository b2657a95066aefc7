import { Readable } from 'node:stream';
import * as contract from '@dutchbook/contract/recordings.ts';
import { instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import type { App } from '../../platform/http/app.ts';
import { Invalid, Refusal } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import { openExports } from './export-thread.ts';
import { type FoundRecord, findRecords } from './find-records.ts';
import type { Recordings } from './recordings.ts';

export function registerRecordings(app: App, recordings: Pick<Recordings, 'venue' | 'folder' | 'status'>): void {
  const startExport = openExports();

  route(app, contract.readRecordingsStatus, () => recordings.status());

  route(app, contract.readRecords, async ({ query: { token_id: tokenId, from, until } }) => {
    const end = instantFromMs(Math.min(until, from + contract.RECORDS_SPAN_MAX_MS));
    const data: contract.RecordOfToken[] = [];
    const wanted = { folder: recordings.folder, tokenIds: new Set([tokenId]), from, until: end };
    for await (const record of findRecords(wanted)) {
      // A read that goes on from a moment gets all of that moment again.
      const isFull = data.length >= contract.RECORDS_MAX && record.at > (data.at(-1)?.at ?? from);
      if (isFull) return { data, next: record.at };
      data.push(presentRecord(record));
    }
    return { data, next: end < until ? end : null };
  });

  route(app, contract.exportRecordings, ({ query: { from, until, token_ids: ids }, reply }) => {
    if (until <= from || until - from > contract.EXPORT_SPAN_MAX_MS)
      throw new Invalid(['query', 'until'], 'Input should be 24 hours after from at most, and not before it');
    // A closed response emits no second event: the thread would wait for its reader for ever.
    if (reply.raw.destroyed) throw new Refusal(499, 'The caller has hung up');
    const { venue, folder } = recordings;
    const tokenIds = ids === undefined ? null : new Set(ids.split(','));
    const { pieces, end } = startExport({ venue, wanted: { folder, tokenIds, from, until } });
    reply.raw.once('close', end);
    return reply
      .header('content-disposition', `attachment; filename="${venue}_${instantToIso(from).slice(0, 13)}.parquet"`)
      .type('application/vnd.apache.parquet')
      .send(Readable.from(pieces));
  });
}

function presentRecord(record: FoundRecord): contract.RecordOfToken {
  const { at, venueAt: venue_at } = record;
  switch (record.kind) {
    case 'book':
      return { kind: 'book', at, venue_at, bids: [...record.bids], asks: [...record.asks] };
    case 'changes':
      return { kind: 'changes', at, venue_at, changes: [...record.changes] };
    case 'trust':
      return { kind: 'trust', at, trust: record.trust };
    case 'gap':
      return { kind: 'gap', at, until: record.until, reason: record.reason };
  }
}
