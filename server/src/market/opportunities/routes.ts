import { checkAllOpportunities, updatePrices } from '@dutchbook/contract/jobs.ts';
import {
  checkOpportunity,
  createOpportunity,
  deleteOpportunity as deleteOpportunityCall,
  listOpportunities as listOpportunitiesCall,
  readOpportunity as readOpportunityCall,
  restoreOpportunity as restoreOpportunityCall,
} from '@dutchbook/contract/opportunities.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, Invalid, NotFound, TooMany } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import { type Checked, checkOpportunities } from './check.ts';
import { registerOpportunityCsv } from './csv/csv-routes.ts';
import { deleteOpportunity, restoreOpportunity } from './deletion.ts';
import { draftOf } from './draft.ts';
import { registerEdits } from './edit-routes.ts';
import { filterOf } from './filter.ts';
import { insertDrafts } from './insert-drafts.ts';
import { livePage } from './live-page.ts';
import { isByMoving } from './moved-prices.ts';
import { quotesForReading } from './open-quotes.ts';
import { nameOfRow, presentRow, servedRow } from './present.ts';
import { detailOf, type OpportunityParts, opportunityOr404 } from './serve.ts';
import { listOpportunities, readOpportunity, type StoredOpportunity } from './store.ts';
import { registerValuation } from './valuation-routes.ts';

export function registerOpportunities(app: App, parts: OpportunityParts): void {
  registerOpportunityCsv(app, parts);
  registerReads(app, parts);
  registerWrites(app, parts);
  registerEdits(app, parts);
  registerValuation(app, parts);
  registerChecks(app, parts);
}

function registerReads(app: App, parts: OpportunityParts): void {
  const { runtime, live } = parts;

  routeRead(app, listOpportunitiesCall, async ({ query }) => {
    const { lists } = runtime.dbFor;
    const filter = await filterOf(lists, query);
    const page = { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order };
    live.noteListed();
    const moved = isByMoving(filter, page.sortBy) ? live.moved() : [];
    const stored = await listOpportunities(lists, filter, page, moved);
    const { rows, count } = livePage(stored, live.rowsNow, filter, page);
    return { data: rows.map(presentRow), count };
  });

  route(app, readOpportunityCall, async ({ params, countQuestion }) => {
    const row = await opportunityOr404(runtime, params.opportunity_id);
    return detailOf(parts, row, await quotesForReading(parts, row, countQuestion));
  });
}

function registerWrites(app: App, parts: OpportunityParts): void {
  const { runtime, live, stream, activeBatchOf } = parts;

  route(app, createOpportunity, async ({ body, query, actor, countQuestion }) => {
    const targetPrice = query.target_price ?? body.target_price;
    if (query.target_price === 0) {
      throw new Invalid(['query', 'target_price'], 'target_price must be greater than 0', 0);
    }
    const result = draftOf({ ...body, target_price: targetPrice });
    if (result.kind === 'refused') throw new Invalid(['body', ...(result.field ? [result.field] : [])], result.reason);
    const { contentHash } = result.draft;
    const { created, existing } = await insertDrafts(runtime, [result.draft], async (tx, insertion) => {
      const id = insertion.created.get(contentHash);
      const row = id === undefined ? null : await readOpportunity(tx, id);
      if (row === null) return;
      await recordAction(tx, runtime, actor, { action: 'opportunity.created', object: row.id, after: servedRow(row) });
    });
    const id = created.get(contentHash);
    if (id === undefined) {
      const standingId = existing.get(contentHash);
      const standing = standingId === undefined ? null : await readOpportunity(runtime.db, standingId);
      const which = standing === null ? 'it has just been deleted again' : `“${nameOfRow(standing)}”`;
      throw new Conflict(`An opportunity with these positions exists already: ${which}`);
    }
    const row = await opportunityOr404(runtime, id);
    stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
    live.adopt([row]);
    const { row: checked, quotes } = await firstCheck(parts, row, countQuestion);
    return detailOf(parts, checked, quotes);
  });

  route(app, deleteOpportunityCall, async ({ params, user, actor }) => {
    const id = params.opportunity_id;
    const outcome = await deleteOpportunity(runtime, id, user, activeBatchOf, async (tx, row) => {
      await recordAction(tx, runtime, actor, { action: 'opportunity.deleted', object: id, before: servedRow(row) });
      await runtime.pubsub.publish(tx, 'opportunity_deleted', id);
    });
    if (outcome === 'not_found') throw new NotFound('Opportunity not found');
    if (outcome === 'active_batch') throw new Conflict('An active batch still buys this opportunity: cancel it first');
    live.forget(id);
    for (const topic of ['opportunities', `opportunity:${id}`]) {
      stream.publish({ topic, type: 'opportunity_deleted', id, data: null });
    }
    return { message: 'Opportunity deleted successfully' };
  });

  route(app, restoreOpportunityCall, async ({ params: { opportunity_id: id }, user, actor }) => {
    await restoreOpportunity(runtime, id, user, (tx, row) =>
      recordAction(tx, runtime, actor, { action: 'opportunity.restored', object: id, after: servedRow(row) }),
    );
    const row = await opportunityOr404(runtime, id);
    stream.publish({ topic: 'opportunities', type: 'opportunity', id, data: presentRow(row) });
    live.adopt([row]);
    return { message: 'Opportunity restored' };
  });
}

function registerChecks(app: App, parts: OpportunityParts): void {
  const { runtime, jobs } = parts;

  route(app, checkOpportunity, async ({ params, actor }) => {
    const row = await opportunityOr404(runtime, params.opportunity_id);
    const entry = { action: 'opportunity.checked', object: row.id } as const;
    const record = () => runtime.db.transaction((tx) => recordAction(tx, runtime, actor, entry));
    const [checked] = await checkOpportunities(parts, [row], true, record);
    if (checked === undefined) throw new Error('a check answered nothing for the one row it was given');
    return { message: 'Prices checked', opportunity: await detailOf(parts, checked.row, checked.quotes) };
  });

  route(app, checkAllOpportunities, async ({ query, actor }) => {
    const after = { active_only: query.active_only };
    const { id, isNew } = await jobs.start('check_all', after, (tx) =>
      recordAction(tx, runtime, actor, { action: 'opportunities.checked', after }),
    );
    return { message: isNew ? 'Arbitrage check scheduled' : 'An arbitrage check is running already', job_id: id };
  });

  route(app, updatePrices, async ({ actor }) => {
    const { id, isNew } = await jobs.start('update_prices', { active_only: false }, (tx) =>
      recordAction(tx, runtime, actor, { action: 'prices.updated' }),
    );
    return {
      message: isNew ? 'Market price update scheduled' : 'A market price update is running already',
      job_id: id,
    };
  });
}

/** A new opportunity is priced at once; without quotes it waits for the live loop. */
async function firstCheck(
  parts: OpportunityParts,
  row: StoredOpportunity,
  countQuestion: () => void,
): Promise<Checked> {
  try {
    countQuestion();
    const [checked] = await checkOpportunities(parts, [row], true);
    return checked ?? { row, quotes: [] };
  } catch (error) {
    if (!(error instanceof VenueUnavailable || error instanceof TooMany)) throw error;
    return { row, quotes: parts.live.open(row).quotes };
  }
}
