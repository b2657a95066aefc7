import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from '@dutchbook/contract/list-values.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { ExportButton } from '../../lists/export-button.tsx';
import { choicesOf, type FilterField, flagChoices, refuseNoNumber } from '../../lists/filter-fields.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { useOutOfOrder } from '../../lists/row-order.ts';
import { useTopic } from '../../live/live.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AddRelationButton } from './add/add-relation-button.tsx';
import { NoRelations } from './no-relations.tsx';
import { RELATION_COLUMNS } from './relation-columns.tsx';
import { exportFound, matchesFilter, relationListQuery, useLatestRelation } from './relation-queries.ts';
import { type RelationFilter, type RelationSearch, relationSearchFrom } from './relation-search.ts';

type RelationListProps = { search: RelationSearch; onSearch: (search: RelationSearch) => void };

/** The watched relations: one page of them, live. */
export function RelationList({ search, onSearch }: RelationListProps) {
  useTopic('relations');
  const page = useListPage({
    list: 'relations',
    search,
    searchFrom: relationSearchFrom,
    onSearch,
    queryOf: relationListQuery,
  });
  useListRefresh('relation', page, matchesFilter);
  const isOutOfOrder = useOutOfOrder('relation', MOVING, search);
  const navigate = useNavigate();
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
            <ExportButton what="relations" ask={exportFound} asked={search} />
          </>
        }
      />
      <ListFrame
        {...page}
        label="Relations"
        icon="search"
        findHint="Event, market or member"
        fields={FIELDS}
        columns={RELATION_COLUMNS}
        useLatest={useLatestRelation}
        onOpen={({ id }) => navigate({ to: '/discover/$relationId', params: { relationId: id } })}
        isOutOfOrder={isOutOfOrder}
        empty={<NoRelations />}
      />
    </>
  );
}

const MOVING = ['distance', 'profit_usd'] as const;

const FLEX = '0 1 136px';

const FIELDS: readonly FilterField<keyof RelationFilter>[] = [
  { name: 'kind', label: 'Kind', flex: FLEX, choices: choicesOf('All kinds', RELATION_KINDS) },
  { name: 'basis', label: 'Basis', flex: FLEX, choices: choicesOf('All bases', RELATION_BASES) },
  { name: 'state', label: 'State', flex: FLEX, choices: choicesOf('All states', RELATION_STATES) },
  {
    name: 'followed',
    label: 'Followed',
    flex: FLEX,
    choices: flagChoices('Followed or not', 'Followed by me', 'Not followed'),
  },
  { name: 'minProfitUsd', label: 'Least Dollars', flex: '0 1 104px', inputMode: 'decimal', refusal: refuseNoNumber },
];
