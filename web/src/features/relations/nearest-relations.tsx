import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listQuery } from '../../lists/list.ts';
import { useInOrder } from '../../lists/row-order.ts';
import { usePointerInside } from '../../lists/steady-rows.ts';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelationTitle } from './relation-columns.tsx';
import { NEAREST_SOURCE, useLatestRelation } from './relation-queries.ts';
import { NEAREST_FIRST } from './relation-search.ts';
import { Distance } from './relation-values.tsx';

const ROWS = 5;
const READ_AGAIN_MS = 15_000;
const TITLE = 'Nearest Relations';

/** The relations nearest to a profit, live and in order; read again periodically for which they are. */
export function NearestRelations() {
  useTopic('relations');
  const { data } = useQuery({ ...listQuery(NEAREST_SOURCE, NEAREST_FIRST, ROWS), refetchInterval: READ_AGAIN_MS });
  const { inside, handlers } = usePointerInside();
  const rows = useInOrder('relation', data?.data, NEAREST_FIRST, inside);
  return (
    <Panel
      folds
      title={TITLE}
      aside={
        <Link to="/discover" search={NEAREST_FIRST}>
          Show all
        </Link>
      }
    >
      {data?.count === 0 ? (
        <p className="muted">No relation is watched yet.</p>
      ) : (
        <div {...handlers}>
          <DataTable label={TITLE} columns={COLUMNS} rows={rows} skeletonRows={ROWS} useLatest={useLatestRelation} />
        </div>
      )}
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
  wide: true,
  cell: (row) => <Distance of={row} />,
};
const COLUMNS = [RELATION, DISTANCE];
