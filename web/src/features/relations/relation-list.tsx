import { exportRelations, type RelationRow } from '@dutchbook/contract/relations.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { type List, useList } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { useOutOfOrder } from '../../lists/row-order.ts';
import { useTopic } from '../../live/live.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFieldsByVenue } from '../status/system-status.ts';
import { AddRelationButton } from './add/add-relation-button.tsx';
import { NoRelations } from './no-relations.tsx';
import { RELATION_COLUMNS } from './relation-columns.tsx';
import { matchesFilter, RELATION_SOURCE, relationFilterQuery, useLatestRelation } from './relation-queries.ts';
import { isCompleteFirst, RELATION_FILTER, type RelationSearch, relationSearchFrom } from './relation-search.ts';
import { RelationsNow } from './relations-now.tsx';

const FIELDS = fieldsOf(RELATION_FILTER, [
  'kind',
  'basis',
  'state',
  'needsApproval',
  'venue',
  'pairs',
  'followed',
  'minProfitUsd',
]);

const RELATIONS: Omit<List<RelationRow, RelationSearch>, 'fields'> = {
  ...RELATION_SOURCE,
  label: 'Relations',
  icon: 'search',
  searchFrom: relationSearchFrom,
  findHint: 'Event, market or member',
  columns: RELATION_COLUMNS,
  useLatest: useLatestRelation,
  open: ({ id }, navigate) => navigate({ to: '/discover/$relationId', params: { relationId: id } }),
  empty: <NoRelations />,
};

/** The watched relations: one page of them, live. */
export function RelationList() {
  const fields = useFieldsByVenue(FIELDS);
  const list = useList({ ...RELATIONS, fields });
  useTopic('relations');
  useListRefresh('relation', list, matchesFilter);
  const isOutOfOrder = useOutOfOrder(
    'relation',
    MOVING,
    list.search,
    isCompleteFirst(list.search) ? rankOf : undefined,
  );
  return (
    <>
      <PageHeader
        title="Discover"
        actions={
          <>
            <AddRelationButton />
            <Button variant="default" renderRoot={(props) => <Link to="/discover/census" {...props} />}>
              Census
            </Button>
            <ExportButton
              what="relations"
              ask={() => call(exportRelations, { query: relationFilterQuery(list.search) })}
            />
          </>
        }
      />
      <RelationsNow />
      <ListFrame {...list} isOutOfOrder={isOutOfOrder} sortsAgain />
    </>
  );
}

/** What comes first in the order in which the list opens: what pays, then what is complete. */
const rankOf = ({ profit_usd, is_complete, kind }: RelationRow) =>
  profit_usd > 0 ? 0 : is_complete && kind !== 'pair' ? 1 : 2;

const MOVING = ['distance', 'profit_usd'] as const;
