import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Panel } from '../../ui/panel.tsx';
import { delayWords } from '../batches/delay-words.ts';
import type { Behind } from './behind.tsx';
import type { ResultSort } from './report-search.ts';
import { CsvButton, type ReportColumn, ReportTable } from './report-table.tsx';

type Spread = NonNullable<ReportSummary['times']['sent']>;
type Row = { step: string; sortBy: ResultSort; spread: Spread | null };

/** How long it took from the trigger to each step. */
export function TimesPanel({ of: { times } }: { of: ReportSummary }) {
  const rows: Row[] = [
    { step: 'Sent', sortBy: 'sent_ms', spread: times.sent },
    { step: 'Matched', sortBy: 'matched_ms', spread: times.matched },
    { step: 'Confirmed', sortBy: 'confirmed_ms', spread: times.confirmed },
    { step: 'Cash', sortBy: 'cash_ms', spread: times.cash },
  ];
  return (
    <Panel title="Times From the Trigger" aside={<CsvButton what="times" columns={COLUMNS} rows={rows} />}>
      <p className="hint">
        From the decision of a batch, as its timeline counts, to its first order sent, its last trade matched and
        confirmed, and the last of it cash; of the batches together, not of one.
      </p>
      <ReportTable label="Times from the trigger" columns={COLUMNS} rows={rows} keyOf={({ step }) => step} />
    </Panel>
  );
}

const of = ({ sortBy }: Row): Behind => ({ batches: {}, sortBy });

function spreadColumn(
  key: string,
  header: string,
  read: (spread: Spread) => number,
  words: (value: number) => string,
): ReportColumn<Row> {
  return {
    key,
    header,
    align: 'end',
    csv: ({ spread }) => (spread === null ? '' : String(read(spread))),
    shown: ({ spread }) => (spread === null ? '–' : words(read(spread))),
    of,
  };
}

const COLUMNS: readonly ReportColumn<Row>[] = [
  { key: 'step', header: 'Step', csv: ({ step }) => step },
  spreadColumn('p50', 'Half Within', ({ p50_ms }) => p50_ms, delayWords),
  spreadColumn('p90', 'Nine in Ten Within', ({ p90_ms }) => p90_ms, delayWords),
  spreadColumn('count', 'Batches', ({ count }) => count, formatCount),
];
