import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listQuery } from '../../lists/list.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelationTitle } from './relation-columns.tsx';
import { RELATION_SOURCE, useLatestRelation } from './relation-queries.ts';
import { NEAREST_FIRST, type RelationSearch } from './relation-search.ts';
import { Distance, Dollars } from './relation-values.tsx';

const ROWS = 5;
const READ_AGAIN_MS = 15_000;
const BEST = { page: 1, minProfitUsd: 0.01, sortBy: 'profit_usd', sortOrder: 'desc' } as const;

/** The relations with the most profit now, and those nearest to a profit; read again periodically for their order. */
export function RelationPanels() {
  useTopic('relations');
  return (
    <>
      <TopRelations title="Best Relations" search={BEST} column={DOLLARS} />
      <TopRelations title="Nearest Relations" search={NEAREST_FIRST} column={DISTANCE} />
    </>
  );
}

type TopRelationsProps = { title: string; search: RelationSearch; column: Column<Read<RelationRow>> };

function TopRelations({ title, search, column }: TopRelationsProps) {
  const { data } = useQuery({ ...listQuery(RELATION_SOURCE, search, ROWS), refetchInterval: READ_AGAIN_MS });
  if (data === undefined || data.count === 0) return null;
  return (
    <Panel
      title={title}
      aside={
        <Link to="/discover" search={search}>
          Show all
        </Link>
      }
    >
      <DataTable label={title} columns={[RELATION, column]} rows={data.data} useLatest={useLatestRelation} />
    </Panel>
  );
}

const RELATION: Column<Read<RelationRow>> = {
  key: 'relation',
  header: 'Relation',
  wide: true,
  cell: ({ id, event_title, title }) => <RelationTitle {...{ id, event_title, title }} />,
};
const DISTANCE: Column<Read<RelationRow>> = {
  key: 'distance',
  header: 'Distance',
  cell: (row) => <Distance of={row} />,
};
const DOLLARS: Column<Read<RelationRow>> = {
  key: 'dollars',
  header: 'Dollars',
  align: 'end',
  cell: (row) => <Dollars of={row} />,
};
