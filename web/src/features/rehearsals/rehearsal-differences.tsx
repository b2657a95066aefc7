import type { RehearsalDifference } from '@dutchbook/contract/rehearsals.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { PagedTable } from '../../lists/paged-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { VenueChoice } from '../status/venue-choice.tsx';
import styles from './rehearsal.module.css';
import { DIFFERENCES_PAGE_SIZE, differencesQuery } from './rehearsal-queries.ts';
import { MAIN_MODEL } from './rehearsal-words.ts';

const MOMENTS_SHOWN = 3;

/** The opportunities that present and proposed settings treat differently, each with the moments at which they do. */
export function RehearsalDifferences({ id, target }: { id: string; target: Target }) {
  const [page, setPage] = useState(1);
  const [venue, setVenue] = useState<VenueName>();
  const query = useQuery(differencesQuery(id, page, venue));
  const { data } = query;
  const columns = useMemo(() => columnsOf(target), [target]);
  const rows = useMemo(
    () => data && { ...data, data: data.data.map((each) => ({ ...each, id: each.opportunity_id })) },
    [data],
  );
  return (
    <>
      <VenueChoice
        venue={venue}
        onVenue={(chosen) => {
          setPage(1);
          setVenue(chosen);
        }}
      />
      <PagedTable
        label="Differences"
        failure="Error loading the differences"
        query={{ ...query, data: rows }}
        columns={columns}
        page={page}
        pageSize={DIFFERENCES_PAGE_SIZE}
        onPage={setPage}
      />
    </>
  );
}

type Row = RehearsalDifference & { id: string };

/** Where what a row leads to is opened. */
type Target = '_blank' | '_self';

const change = (present: number, proposed: number) =>
  present === proposed ? formatCount(present) : `from ${formatCount(present)} to ${formatCount(proposed)}`;

const columnsOf = (target: Target): readonly Column<Row>[] => [
  {
    key: 'opportunity',
    header: 'Opportunity',
    wide: true,
    cell: ({ id, title }) => (
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} target={target}>
        {title}
      </Link>
    ),
  },
  {
    key: 'triggers',
    header: 'Triggers',
    align: 'end',
    cell: ({ present_triggers, proposed_triggers }) => change(present_triggers, proposed_triggers),
  },
  {
    key: 'batches',
    header: 'Batches',
    align: 'end',
    cell: ({ present_batches, proposed_batches }) => change(present_batches, proposed_batches),
  },
  {
    key: 'profit',
    header: 'Profit',
    align: 'end',
    cell: ({ profit_usd }) => <Signed value={profit_usd[MAIN_MODEL]}>{formatUsd(profit_usd[MAIN_MODEL])}</Signed>,
  },
  { key: 'moments', header: 'Moments', wide: true, cell: (row) => <Moments of={row} target={target} /> },
];

function Moments({ of: { id, moments }, target }: { of: Row; target: Target }) {
  const [first, rest] = [moments.slice(0, MOMENTS_SHOWN), moments.slice(MOMENTS_SHOWN)];
  return (
    <>
      <MomentLinks id={id} moments={first} target={target} />
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more</summary>
          <MomentLinks id={id} moments={rest} target={target} />
        </details>
      )}
    </>
  );
}

function MomentLinks({ id, moments, target }: { id: string; moments: Row['moments']; target: Target }) {
  return (
    <div className={styles.moments}>
      {moments.map(({ at, present, proposed }) => (
        <span key={at}>
          <Link
            to="/arbitrage/$opportunityId"
            params={{ opportunityId: id }}
            search={{ at: instantToIso(at) }}
            target={target}
          >
            <LocalTime at={at} />
          </Link>
          <Beneath>{triggeredBy(present !== null, proposed !== null)}</Beneath>
        </span>
      ))}
    </div>
  );
}

function triggeredBy(present: boolean, proposed: boolean): string {
  if (present && proposed) return 'decided otherwise';
  return proposed ? 'rehearsed only' : 'now only';
}
