import * as census from '@dutchbook/contract/discovery/census.ts';
import * as decisions from '@dutchbook/contract/discovery/decisions.ts';
import { listRelationHits } from '@dutchbook/contract/discovery/hits.ts';
import { readDiscoverySettings, writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import * as contract from '@dutchbook/contract/relations.ts';
import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import { distancePlot } from '@dutchbook/engine/desk/distance-plot.ts';
import { assessRelation } from '@dutchbook/engine/desk/watched-relation.ts';
import type * as z from 'zod/mini';
import { presentVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { exportRows } from '../../platform/csv/export-rows.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { approveRelation, followRelation, rejectRelation } from '../relations/decide.ts';
import { listHits, type SizesOf, spansOf } from '../relations/hits.ts';
import { type MemberQuote, presentRelation, presentRelationRow } from '../relations/present.ts';
import { presentHit } from '../relations/present-hit.ts';
import {
  isFollowedBy,
  listRelations,
  pagesOfRelations,
  type RelationFilter,
  readDistances,
  readRelation,
  type StoredRelation,
} from '../relations/store.ts';
import { openLastingCounts } from '../search/lasting-counts.ts';
import { readMirror } from '../simulator/mirror.ts';
import { explainWatched, readCensus } from './census.ts';
import { contradictionOf } from './contradicted.ts';
import type { Discovery } from './discovery.ts';
import { addHumanRelation } from './human-relations.ts';
import { readCatalogueEvents } from './relation-changes.ts';
import { changeDiscoverySettings } from './settings.ts';
import { pricedBy, watchedOf } from './watched.ts';

const POINTS_MAX = 2000;

function filterOf(query: z.output<typeof contract.exportRelations.query>, { id }: Pick<UserRow, 'id'>): RelationFilter {
  const { q, kind, basis, state, venue, min_profit_usd: minProfit, followed, pairs } = query;
  const { needs_approval: needsApproval } = query;
  return {
    q,
    kind,
    basis,
    state,
    needsApproval,
    minProfit,
    venue,
    pairs,
    followed: followed === undefined ? undefined : { by: id, is: followed },
  };
}

export function registerDiscovery(
  app: App,
  runtime: Runtime,
  { settings, bookOf, watches, live }: Discovery,
  sizesOf: SizesOf,
): void {
  const { db, clock } = runtime;
  const { lists, exports } = runtime.dbFor;
  const counts = openLastingCounts(clock);

  routeRead(app, contract.listRelations, async ({ query, reader }) => {
    const page = {
      skip: query.skip,
      limit: query.limit,
      sortBy: query.sort_by,
      sortOrder: query.sort_order,
      isCompleteFirst: query.complete_first,
    };
    const { rows, count } = await listRelations(lists, filterOf(query, reader), page, counts);
    return { data: rows.map((row) => presentRelationRow(row, settings.current())), count };
  });

  route(app, contract.exportRelations, ({ query, user, reply }) => {
    const pages = pagesOfRelations(exports, filterOf(query, user));
    const present = (rows: StoredRelation[]) => rows.map((row) => presentRelationRow(row, settings.current()));
    return sendCsv(
      reply,
      'relations',
      runtime,
      exportRows(contract.relationRow, [...contract.RELATION_SORTS, 'outdated'], pages, present),
    );
  });

  routeRead(app, census.readCensus, async ({ query: { venue } }) => {
    const { config } = runtime;
    const mirror = await readMirror(config);
    const asked = { now: clock.now(), enabled: settings.current().enabled && config.discovery, venue };
    return { ...(await readCensus(lists, asked)), mirror };
  });

  routeRead(app, census.explainWatched, async ({ query }) => ({ data: await explainWatched(lists, query.q) }));

  routeRead(app, listRelationHits, async ({ query: { relation_id: relationId, venue, taken, skip, limit } }) => {
    const { rows, count } = await listHits(lists, { relationId, venue, isTaken: taken }, { skip, limit });
    const sizes = await sizesOf(
      lists,
      rows.flatMap(({ batchId }) => batchId ?? []),
    );
    return { data: rows.map((hit) => presentHit(hit, sizes.get(hit.batchId ?? '') ?? null)), count };
  });

  route(app, contract.readRelation, ({ params, user }) => detailOf(params.relation_id, user));

  route(app, contract.listDistances, async ({ params }) => {
    const points = await readDistances(lists, params.relation_id, POINTS_MAX);
    const since = points[0]?.at;
    const spans = since === undefined ? [] : await spansOf(lists, params.relation_id, since, POINTS_MAX);
    return {
      data: distancePlot(points, spans).map(({ at, distance, profit }) => ({ at, distance, profit_usd: profit })),
    };
  });

  route(app, decisions.addRelation, async ({ body, actor, user }) =>
    detailOf(await addHumanRelation(runtime, actor, body), user),
  );

  route(app, decisions.approveRelation, async ({ params, body, actor, user }) => {
    await approveRelation(runtime, { id: params.relation_id, actor }, body, contradictionOf);
    return detailOf(params.relation_id, user);
  });

  route(app, decisions.rejectRelation, async ({ params, body, actor, user }) => {
    live.adopt(await rejectRelation(runtime, { id: params.relation_id, actor }, body.reason));
    return detailOf(params.relation_id, user);
  });

  route(app, decisions.followRelation, async ({ params, body, user }) => {
    await followRelation(db, user.id, params.relation_id, body.follow);
    return detailOf(params.relation_id, user);
  });

  route(app, readDiscoverySettings, () => presentVenueSettings(settings));

  route(app, writeDiscoverySettings, async (call) => {
    await changeDiscoverySettings(runtime, settings, call, call.body);
    return presentVenueSettings(settings);
  });

  async function detailOf(id: string, user: UserRow) {
    const row = await readRelation(db, id);
    if (row === null) throw new NotFound('Relation not found');
    const events = await readCatalogueEvents(db, [row]);
    const isFollowed = await isFollowedBy(db, user.id, id);
    // No await from here on: quotes and prices are of the books of one instant.
    const watched = watchedOf(row, events);
    const now = watches(id) ? pricedBy(row, assessRelation(watched, bookOf)) : row;
    const quotes = new Map<string, MemberQuote>();
    for (const { marketId, tokenId } of watched.members) {
      const seen = tokenId === null ? undefined : bookOf(tokenId);
      if (seen !== undefined)
        quotes.set(marketId, {
          bestBid: bestBid(seen.book),
          bestAsk: bestAsk(seen.book),
          ageMs: Math.max(0, Math.round(seen.ageMs)),
        });
    }
    return presentRelation(now, { kindsOn: settings.current(), isFollowed, events, quotes, now: clock.now() });
  }
}
