import { Readable } from 'node:stream';
import { exportAuditLog, listAuditLog, verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import type { App } from '../http/app.ts';
import { route, routeRead } from '../http/route.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { ownTick } from '../runtime/slices.ts';
import type { AuditRow } from './record.ts';
import { listAuditEntries, pagesOfAuditEntries, presentAuditEntry } from './store.ts';
import { verifyChain } from './verify.ts';

export function registerAudit(app: App, { dbFor, clock, config }: Pick<Runtime, 'dbFor' | 'clock' | 'config'>): void {
  routeRead(app, listAuditLog, async ({ query: { skip, limit, sort_order: sortOrder, ...filter } }) => {
    const { rows, count } = await listAuditEntries(dbFor.lists, filter, { skip, limit, sortOrder });
    return { data: rows.map(presentAuditEntry), count };
  });

  route(app, exportAuditLog, ({ query, reply }) => {
    const onPaper = config.paper === null ? '' : `paper_${config.paper.fills}_`;
    const name = `audit_log_${onPaper}${instantToIso(clock.now()).slice(0, 10)}.jsonl`;
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/jsonl; charset=utf-8')
      .send(Readable.from(jsonLines(pagesOfAuditEntries(dbFor.exports, query))));
  });

  route(app, verifyAuditLog, async () => {
    const { entries, head, brokenAt } = await verifyChain(dbFor.exports);
    return { intact: brokenAt === null, entries, head, broken_at: brokenAt };
  });
}

async function* jsonLines(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) {
    await ownTick();
    yield rows.map(jsonLine).join('');
  }
}

function jsonLine(row: AuditRow): string {
  return `${JSON.stringify({ ...presentAuditEntry(row), at: instantToIso(row.at) })}\n`;
}
