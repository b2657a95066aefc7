import { readCensus } from '@dutchbook/contract/discovery/census.ts';
import {
  listDistances,
  listRelations,
  type RelationReply,
  type RelationRow,
  readRelation,
} from '@dutchbook/contract/relations.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type CallInput, call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import type { ListSource } from '../../lists/list.ts';
import { filterQuery, isLetThrough } from '../../lists/list-search.ts';
import { fresher, type Read, readOne } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { isCompleteFirst, pairsShown, type RelationFilter, type RelationSearch } from './relation-search.ts';
import { waitsForApproval } from './relation-words.ts';

const relationListKey = ['relations'] as const;
const relationKey = (id: string) => ['relation', id] as const;

const DISTANCES_AGAIN_MS = 30_000;
const CENSUS_AGAIN_MS = 10_000;
const OPPORTUNITY_AGAIN_MS = 3_000;

/** The filter as the server takes it. */
export function relationFilterQuery({ minProfitUsd, ...filter }: RelationFilter) {
  return {
    ...filterQuery(filter),
    pairs: pairsShown(filter),
    min_profit_usd: minProfitUsd === undefined ? undefined : usdFromNumber(minProfitUsd),
  };
}

/** Whether the server lists `row` under this filter, as far as a row can tell: text and followers stand elsewhere. */
export function matchesFilter(row: RelationRow, filter: RelationFilter): boolean {
  const { kind, basis, state, needsApproval, venue, minProfitUsd } = filter;
  if (!isLetThrough(venue, venueOf(row.event_id))) return false;
  if (row.kind === 'pair' && row.profit_usd === 0 && pairsShown(filter) === 'left_out') return false;
  if (!isLetThrough(needsApproval, waitsForApproval(row))) return false;
  const pays = minProfitUsd === undefined || row.profit_usd >= usdFromNumber(minProfitUsd);
  return pays && isLetThrough(kind, row.kind) && isLetThrough(basis, row.basis) && isLetThrough(state, row.state);
}

type PageQuery = Pick<
  CallInput<typeof listRelations>['query'],
  'skip' | 'limit' | 'sort_by' | 'sort_order' | 'complete_first'
>;

function readRelations(page: PageQuery, filter: RelationFilter, signal: AbortSignal) {
  return call(listRelations, { query: { ...page, ...relationFilterQuery(filter) }, signal });
}

export const RELATION_SOURCE: ListSource<RelationRow, RelationSearch> = {
  name: 'relations',
  read: (page, search, signal) => readRelations({ ...page, complete_first: isCompleteFirst(search) }, search, signal),
};

/** Relations by their distance from paying only. */
export const NEAREST_SOURCE: ListSource<RelationRow, RelationSearch> = {
  name: 'relations',
  read: (page, search, signal) => readRelations({ ...page, complete_first: false }, search, signal),
};

/** The newest state of a listed row. */
export function useLatestRelation(row: Read<RelationRow>, isNear = true): Read<RelationRow> {
  return fresher(row, useLiveEntry('relation', row.id, isNear));
}

/** Has the relation read again. */
export function useReadRelationAgain(id: string): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: relationKey(id) }), [client, id]);
}

/** One relation: its figures as the stream moves them, its members and worlds read again after them. */
export function useRelation(id: string) {
  useTopic(`relation:${id}`);
  const read = useQuery({
    queryKey: relationKey(id),
    queryFn: ({ signal }) => readOne(() => call(readRelation, { params: { relation_id: id }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && awaitsOpportunity(data) ? OPPORTUNITY_AGAIN_MS : false,
  });
  const isThis = useCallback((change: Change) => change.type === 'relation' && change.id === id, [id]);
  useReadSoon(isThis, useReadRelationAgain(id));
  const live = useLiveEntry('relation', id);
  const relation = useMemo(() => read.data && withRow(read.data, live), [read.data, live]);
  return { ...read, relation };
}

/** The stream does not tell of the opportunity that is made of it once it pays and may be traded. */
function awaitsOpportunity({ opportunity_id, may_trade, distance }: RelationReply): boolean {
  return opportunity_id === null && may_trade && distance !== null && distance < 0;
}

function withRow(read: Read<RelationReply>, live: Parameters<typeof fresher<RelationRow>>[1]): Read<RelationReply> {
  return { ...read, ...fresher<RelationRow>(read, live) };
}

/** Keeps what a call has answered of a relation, and has the lists read again. */
export function useKeepRelation() {
  const client = useQueryClient();
  return (relation: Read<RelationReply>) => {
    client.setQueryData(relationKey(relation.id), relation);
    void client.invalidateQueries({ queryKey: relationListKey });
  };
}

export function useDistances(id: string) {
  return useQuery(
    callQuery(
      ['distances', id],
      listDistances,
      { params: { relation_id: id } },
      { refetchInterval: DISTANCES_AGAIN_MS },
    ),
  );
}

/** `venue`: of that alone; undefined of all. */
export const censusQuery = (venue?: VenueName) =>
  callQuery(['census', venue ?? null], readCensus, { query: { venue } }, { refetchInterval: CENSUS_AGAIN_MS });
