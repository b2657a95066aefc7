import { updateContentHashes, updateOpportunity } from '@dutchbook/contract/opportunities.ts';
import { triggerThreshold } from '../../people/system-settings/in-units.ts';
import type { App } from '../../platform/http/app.ts';
import { Invalid, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import { editOpportunity } from './edit.ts';
import { quotesOnceChanged } from './open-quotes.ts';
import { presentRow } from './present.ts';
import { type Rehashed, rehashOpportunities } from './rehash.ts';
import { detailOf, type OpportunityParts } from './serve.ts';
import { readOpportunities, type StoredOpportunity } from './store.ts';

const ROWS_PER_READ = 500;

export function registerEdits(app: App, parts: OpportunityParts): void {
  const { runtime, live, settings, mayBeFound } = parts;

  route(app, updateOpportunity, async ({ params, query, body, actor, countQuestion }) => {
    if (query.target_price === 0) {
      throw new Invalid(['query', 'target_price'], 'target_price must be greater than 0', 0);
    }
    const edit = { targetPrice: query.target_price ?? body?.target_price, active: query.active ?? body?.active };
    const thresholdPct = triggerThreshold(settings.current());
    const edited = await editOpportunity(runtime, { id: params.opportunity_id, edit, thresholdPct, actor, mayBeFound });
    if (edited === null) throw new NotFound('Opportunity not found');
    const { row, isChanged } = edited;
    if (isChanged) {
      live.adopt([row]);
      publish(parts, [row]);
    }
    return detailOf(parts, row, await quotesOnceChanged(parts, row, countQuestion));
  });

  route(app, updateContentHashes, async ({ query, actor }) => {
    const outcome = await rehashOpportunities(runtime, actor, query.handle_duplicates);
    // Taking over what may be all opportunities lasts longer than the answer should.
    live
      .readChanges()
      .catch((error: unknown) =>
        runtime.log.error(
          { err: error },
          'opportunities with new content hashes not read, followed with the next ones',
        ),
      );
    for (let start = 0; start < outcome.deactivated.length; start += ROWS_PER_READ) {
      publish(parts, await readOpportunities(runtime.db, outcome.deactivated.slice(start, start + ROWS_PER_READ)));
    }
    return { ...outcome, deactivated: outcome.deactivated.length, message: wording(outcome) };
  });
}

function publish({ live, stream }: OpportunityParts, rows: readonly StoredOpportunity[]): void {
  for (const row of live.rowsNow(rows)) {
    stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
  }
}

function wording({ updated, duplicates, deactivated }: Rehashed): string {
  const found =
    duplicates === 0 ? 'no duplicates' : `${counted(duplicates, 'duplicate')}, ${deactivated.length} deactivated`;
  return `${counted(updated, 'content hash', 'content hashes')} updated, ${found}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
