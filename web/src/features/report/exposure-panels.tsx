import type { readExposure } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { distinctTitles } from '../status/distinct-titles.ts';
import { type Behind, FilterContext } from './behind.tsx';
import { exposureQuery } from './report-queries.ts';
import type { ResultFilter, ResultSort } from './report-search.ts';
import { CsvButton, type ReportColumn, ReportTable, usdColumn } from './report-table.tsx';

type Row = z.output<typeof readExposure.reply>['events'][number];

/** What is bound and at risk, by event and by the month that releases it. */
export function ExposurePanels() {
  const read = useQuery(exposureQuery(use(FilterContext)));
  return (
    <Loaded of={read} text="Error loading the exposure" height={180}>
      {({ events, months }) => (
        <>
          <Exposure title="Exposure by Event" what="exposure_by_event" columns={BY_EVENT} rows={distinct(events)} />
          <Exposure title="Exposure by Release Month" what="exposure_by_month" columns={BY_MONTH} rows={months} />
        </>
      )}
    </Loaded>
  );
}

function distinct(events: readonly Row[]): Row[] {
  const titleOf = distinctTitles(events.map(({ key, title }) => ({ id: key ?? '', title })));
  return events.map((event) => ({ ...event, title: titleOf(event.key ?? '') ?? event.title }));
}

type ExposureProps = { title: string; what: string; columns: readonly ReportColumn<Row>[]; rows: readonly Row[] };

function Exposure({ title, what, columns, rows }: ExposureProps) {
  return (
    <Panel title={title} folds aside={<CsvButton what={what} columns={columns} rows={rows} />}>
      {rows.length === 0 ? (
        <p className="hint">No capital is bound.</p>
      ) : (
        <ReportTable label={title} columns={columns} rows={rows} keyOf={({ key }) => key ?? ''} />
      )}
    </Panel>
  );
}

function columnsOf(header: string, narrowed: (key: string | null) => ResultFilter): readonly ReportColumn<Row>[] {
  const behind =
    (sortBy: ResultSort) =>
    ({ key }: Row): Behind => ({ batches: { ...narrowed(key), isOpen: true }, sortBy });
  return [
    { key: 'title', header, wide: true, csv: ({ title }) => title },
    {
      key: 'batches',
      header: 'Batches',
      align: 'end',
      csv: ({ batches }) => String(batches),
      shown: ({ batches }) => formatCount(batches),
      of: behind('triggered_at'),
    },
    usdColumn('capital', 'Bound', ({ capital_usd }) => capital_usd, behind('capital_usd')),
    usdColumn('locked', 'Locked', ({ locked_usd }) => locked_usd, behind('locked_usd'), 'signed'),
    usdColumn('risk', 'At Risk', ({ at_risk_usd }) => at_risk_usd, behind('at_risk_usd')),
  ];
}

const BY_EVENT = columnsOf('Event', (key) => ({ eventId: key ?? undefined }));
const BY_MONTH = columnsOf('Month', (key) => ({ releaseMonth: key ?? 'unknown' }));
