import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Panel } from '../../ui/panel.tsx';
import { delayWords } from '../batches/delay-words.ts';
import type { Behind } from './behind.tsx';
import type { ResultSort } from './report-search.ts';
import { CsvButton, type ReportColumn, ReportTable } from './report-table.tsx';

type Spread = NonNullable<ReportSummary['times']['sent']>;
type Row = { step: string; meaning: string; sortBy: ResultSort; spread: Spread | null };

/** How long it took from the trigger to each step. */
export function TimesPanel({ of: { times } }: { of: ReportSummary }) {
  const rows: Row[] = [
    { step: 'Sent', meaning: 'the first order has left', sortBy: 'sent_ms', spread: times.sent },
    { step: 'Matched', meaning: 'the last trade was matched', sortBy: 'matched_ms', spread: times.matched },
    { step: 'Confirmed', meaning: 'the last trade is final', sortBy: 'confirmed_ms', spread: times.confirmed },
    { step: 'Cash', meaning: 'all of it is dollars again', sortBy: 'cash_ms', spread: times.cash },
  ];
  return (
    <Panel title="Times From the Trigger" aside={<CsvButton what="times" columns={COLUMNS} rows={rows} />}>
      <p className="hint">
        From the decision to buy a batch until each step: half of the batches took no longer than the first figure, nine
        in ten no longer than the second.
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
    shown: ({ spread }) => (spread === null ? 'none yet' : words(read(spread))),
    of,
  };
}

const COLUMNS: readonly ReportColumn<Row>[] = [
  {
    key: 'step',
    header: 'Step',
    wide: true,
    csv: ({ step }) => step,
    shown: ({ step, meaning }) => (
      <>
        <strong>{step}</strong> <span className="hint">{meaning}</span>
      </>
    ),
  },
  spreadColumn('p50', 'Half Within', ({ p50_ms }) => p50_ms, delayWords),
  spreadColumn('p90', 'Nine in Ten Within', ({ p90_ms }) => p90_ms, delayWords),
  spreadColumn('count', 'Batches', ({ count }) => count, formatCount),
];
