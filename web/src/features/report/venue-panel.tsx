import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Panel } from '../../ui/panel.tsx';
import type { Behind } from './behind.tsx';
import type { ResultFilter, ResultSort } from './report-search.ts';
import { CsvButton, type ReportColumn, ReportTable, usdColumn } from './report-table.tsx';

type Row = ReportSummary['by_venue'][number];

const behind =
  (sortBy: ResultSort, batches: ResultFilter = {}) =>
  ({ venue }: Row): Behind => ({ batches: { ...batches, venue }, sortBy });

const COLUMNS: readonly ReportColumn<Row>[] = [
  { key: 'venue', header: 'Venue', wide: true, csv: ({ venue }) => VENUE_LABELS[venue] },
  {
    key: 'batches',
    header: 'Batches',
    align: 'end',
    csv: ({ batches }) => String(batches),
    shown: ({ batches }) => formatCount(batches),
    of: behind('triggered_at'),
  },
  usdColumn('cost', 'Paid for Shares', ({ cost_usd }) => cost_usd, behind('cost_usd')),
  usdColumn('received', 'Came Back', ({ received_usd }) => received_usd, behind('paid_usd')),
  usdColumn('fees', 'Fees', ({ fees_usd }) => fees_usd, behind('fees_usd')),
  usdColumn('slippage', 'Slippage', ({ slippage_usd }) => slippage_usd, behind('slippage_usd'), 'cost'),
  usdColumn('capital', 'Bound Now', ({ capital_usd }) => capital_usd, behind('capital_usd', { isOpen: true })),
];

/** Where the money went and came from; nothing where there is one venue, of which the rest of the report says the same. */
export function VenuePanel({ of: { by_venue: rows } }: { of: ReportSummary }) {
  if (rows.length < 2) return null;
  return (
    <Panel title="By Venue" folds aside={<CsvButton what="report_by_venue" columns={COLUMNS} rows={rows} />}>
      <ReportTable label="By Venue" columns={COLUMNS} rows={rows} keyOf={({ venue }) => venue} />
      <p className="hint">
        A batch over several venues counts at each, with its own orders there. Its profit is of all of them together.
      </p>
    </Panel>
  );
}
