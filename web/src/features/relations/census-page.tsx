import type { Census, Mirrored } from '@dutchbook/contract/discovery/census.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { VenueChoice } from '../status/venue-choice.tsx';
import { BackToList } from './back-to-list.tsx';
import { censusQuery } from './relation-queries.ts';
import { BASIS_MEANING } from './relation-words.ts';
import { WhyWatched } from './why-watched.tsx';

type CensusPageProps = {
  why: string;
  onAsk: (asked: string) => void;
  venue: VenueName | undefined;
  onVenue: (venue: VenueName | undefined) => void;
};

/** What the venue lists, what of it is watched, and why the rest is not. */
export function CensusPage({ why, onAsk, venue, onVenue }: CensusPageProps) {
  const read = useQuery(censusQuery(venue));
  const census = read.data;
  return (
    <>
      <PageHeader title="Census" back={<BackToList />} badges={census && <SyncBadge of={census} />} />
      <LoadError of={read} text="Error loading the census" />
      <div className="stack">
        <WhyWatched asked={why} onAsk={onAsk} />
        <VenueChoice venue={venue} onVenue={onVenue} />
        {census && <Counts of={census} />}
        {census === undefined && read.error === null && (
          <div className="stack" role="status" aria-label="Loading">
            <Skeleton height={120} />
            <Skeleton height={220} />
          </div>
        )}
      </div>
    </>
  );
}

function SyncBadge({ of: { enabled, sync } }: { of: Census }) {
  if (!enabled) return <StatusBadge tone="inactive">Discovery is off</StatusBadge>;
  if (sync.error !== null) return <StatusBadge tone="error">Reading failed</StatusBadge>;
  if (sync.running) return <StatusBadge tone="active">Reading the venue</StatusBadge>;
  return sync.finished_at === null ? (
    <StatusBadge tone="pending">Not read yet</StatusBadge>
  ) : (
    <StatusBadge tone="success">Read</StatusBadge>
  );
}

function Counts({ of: census }: { of: Census }) {
  const { sync, events, markets, bases, kinds, unwatched } = census;
  return (
    <>
      <Panel title="Reading of the Venue" aside={<Passed of={census} />}>
        {sync.error !== null && <Note tone="error" title="The last pass failed." lines={[sync.error]} />}
        <Figures
          figures={[
            { name: 'Events', value: formatCount(events) },
            { name: 'Markets', value: formatCount(markets) },
            {
              name: sync.running ? 'Read in This Pass' : 'Read in the Last Pass',
              value: formatCount(sync.events_read),
            },
          ]}
        />
      </Panel>
      {census.mirror !== null && <LeftOut of={census.mirror} />}
      <Panel title="By Basis">
        <DataTable label="By basis" columns={BASES} rows={bases.map((row) => ({ ...row, id: row.basis }))} />
      </Panel>
      <div className="pair">
        <Panel title="By Kind">
          <DataTable label="By kind" columns={KINDS} rows={kinds.map((row) => ({ ...row, id: row.kind }))} />
        </Panel>
        <Panel title="Not Watched">
          {unwatched.length === 0 ? (
            <p className="hint">Every event that was read is watched.</p>
          ) : (
            <DataTable
              label="Not watched"
              columns={UNWATCHED}
              rows={unwatched.map((row) => ({ ...row, id: row.reason }))}
            />
          )}
        </Panel>
      </div>
    </>
  );
}

/** Markets of the real venue that are left out on paper. */
function LeftOut({ of: { markets, complete, trouble, left_out, polled } }: { of: Mirrored }) {
  const read = `${formatCount(markets)} markets of the real venue ${complete ? 'are mirrored' : 'have been read so far'}.`;
  return (
    <Panel title="Left Out on Paper" aside={<p className="hint">{read}</p>}>
      {trouble !== null && <Note tone="error" title="The real venue could not be read whole." lines={[trouble]} />}
      {polled !== undefined && <p className="hint">{polledWords(polled)}</p>}
      {left_out.length === 0 ? (
        <p className="hint">Every open market that was read can be traded on paper.</p>
      ) : (
        <DataTable
          label="Left out on paper"
          columns={LEFT_OUT}
          rows={left_out.map((row) => ({ ...row, id: row.reason }))}
        />
      )}
    </Panel>
  );
}

function polledWords({ followed, books, books_max, oldest_book_ms }: NonNullable<Mirrored['polled']>): string {
  const oldest =
    oldest_book_ms === null ? 'not all of them yet' : `the oldest ${Math.round(oldest_book_ms / 1000)} s ago`;
  return (
    `Kalshi: the best levels of ${formatCount(followed)} markets are read every few seconds, and the whole books of ` +
    `${formatCount(books)} in turn (${formatCount(books_max)} at most), ${oldest}. An order meets a book that is read for it.`
  );
}

function Passed({ of: { sync } }: { of: Census }) {
  if (sync.finished_at !== null)
    return (
      <p className="hint">
        Finished <Moment at={sync.finished_at} />
      </p>
    );
  if (sync.started_at === null) return null;
  return (
    <p className="hint">
      Began <Moment at={sync.started_at} />
    </p>
  );
}

type Identified<Row> = Row & { id: string };

const BASES: readonly Column<Identified<Census['bases'][number]>>[] = [
  {
    key: 'basis',
    header: 'Basis',
    wide: true,
    cell: ({ basis }) => (
      <span className="lines">
        <Link to="/discover" search={{ basis }}>
          {statusWords(basis)}
        </Link>
        <span className="hint">{BASIS_MEANING[basis]}</span>
      </span>
    ),
  },
  { key: 'events', header: 'Events', align: 'end', cell: ({ events }) => formatCount(events) },
  { key: 'members', header: 'Members', align: 'end', cell: ({ members }) => formatCount(members) },
  { key: 'relations', header: 'Relations', align: 'end', cell: ({ relations }) => formatCount(relations) },
  { key: 'complete', header: 'Complete', align: 'end', cell: ({ complete }) => formatCount(complete) },
  { key: 'unquoted', header: 'Unquoted Members', align: 'end', cell: ({ unquoted }) => formatCount(unquoted) },
  { key: 'hits', header: 'Paid Today', align: 'end', cell: ({ hits }) => formatCount(hits) },
];

const KINDS: readonly Column<Identified<Census['kinds'][number]>>[] = [
  {
    key: 'kind',
    header: 'Kind',
    cell: ({ kind }) => (
      <Link to="/discover" search={{ kind }}>
        {statusWords(kind)}
      </Link>
    ),
  },
  { key: 'relations', header: 'Relations', align: 'end', cell: ({ relations }) => formatCount(relations) },
  {
    key: 'bare',
    header: 'Without Two Quotes',
    align: 'end',
    cell: ({ not_comparable }) => formatCount(not_comparable),
  },
];

const LEFT_OUT: readonly Column<Identified<Mirrored['left_out'][number]>>[] = [
  { key: 'reason', header: 'Reason', wide: true, cell: ({ reason }) => reason },
  { key: 'markets', header: 'Markets', align: 'end', cell: ({ markets }) => formatCount(markets) },
];

const UNWATCHED: readonly Column<Identified<Census['unwatched'][number]>>[] = [
  { key: 'reason', header: 'Reason', wide: true, cell: ({ reason }) => reason },
  { key: 'events', header: 'Events', align: 'end', cell: ({ events }) => formatCount(events) },
];
