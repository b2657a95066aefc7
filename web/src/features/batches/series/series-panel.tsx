import type { Batch } from '@dutchbook/contract/batches.ts';
import { SIZE_BOUND_WORDS } from '@dutchbook/contract/notes/size-words.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../../calls/loaded.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { clipsQuery } from '../batch-queries.ts';
import { ActualProfit, BatchStatusBadge } from '../batch-values.tsx';
import { SeriesPauseText, useSeries } from './series-standing.tsx';
import { seriesWords } from './series-words.ts';

/** The clips in which an opportunity was bought: one line that opens into them. */
export function SeriesPanel({ of: shown, seriesId }: { of: Batch; seriesId: string }) {
  return (
    <Panel title="Series">
      <WhyNoFurther opportunityId={shown.opportunity_id} seriesId={seriesId} />
      <Loaded of={useQuery(clipsQuery(seriesId))} text="Error loading the clips" inline height={48}>
        {({ data: clips }) => (
          <details>
            <summary>{seriesWords(clips)}</summary>
            <DataTable label="Clips of the series" columns={columnsFor(shown)} rows={clips} />
          </details>
        )}
      </Loaded>
    </Panel>
  );
}

function WhyNoFurther({ opportunityId, seriesId }: { opportunityId: string; seriesId: string }) {
  const series = useSeries(opportunityId);
  if (series === undefined) return null;
  if (series?.series_id !== seriesId) return <p>A later batch of the opportunity has ended this series.</p>;
  return <SeriesPauseText of={series} />;
}

function columnsFor(shown: Batch): readonly Column<Batch>[] {
  return [
    {
      key: 'clip',
      header: 'Clip',
      cell: ({ id, clip_number: number }) => {
        const words = number === null ? 'Clip' : `Clip ${number}`;
        if (id === shown.id) return `${words} (this one)`;
        return (
          <Link to="/batches/$batchId" params={{ batchId: id }}>
            {words}
          </Link>
        );
      },
    },
    { key: 'status', header: 'Status', cell: (clip) => <BatchStatusBadge of={clip} /> },
    { key: 'size', header: 'Order Size', align: 'end', cell: ({ order_size: size }) => `${formatShares(size)} sh` },
    {
      key: 'bound',
      header: 'Bounded By',
      wide: true,
      cell: ({ size_bounded_by: bound }) => (bound === null ? '–' : SIZE_BOUND_WORDS[bound]),
    },
    { key: 'profit', header: 'Actual Profit', align: 'end', cell: (clip) => <ActualProfit of={clip} /> },
  ];
}
