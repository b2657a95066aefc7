import type { readExecutionQuality } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { formatShares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { type Behind, Figure, FilterContext } from './behind.tsx';
import { centsPerShare, fillRateWords, fractionWords } from './figures.ts';
import { hourDrawing, hourSummary } from './hour-drawing.ts';
import { PicturePanel } from './picture.tsx';
import styles from './report.module.css';
import { executionQuery } from './report-queries.ts';
import type { ResultFilter, ResultSort } from './report-search.ts';
import { CsvButton, type ReportColumn, ReportTable, usdColumn } from './report-table.tsx';

type Execution = z.output<typeof readExecutionQuality.reply>;
type Band = Execution['sizes'][number];

const DAY_MS = 86_400_000;

/** How much of what was ordered came, at which price, and what became of it on the chain. */
export function ExecutionPanels() {
  const read = useQuery(executionQuery(use(FilterContext)));
  return (
    <Loaded of={read} text="Error loading the execution" height={360}>
      {({ sizes, hours, settlements }) => (
        <>
          <Panel
            title="Execution by Size"
            aside={<CsvButton what="execution_by_size" columns={BY_SIZE} rows={sizes} />}
          >
            {sizes.length === 0 ? (
              <p className="hint">Nothing has been ordered.</p>
            ) : (
              <ReportTable label="Execution by size" columns={BY_SIZE} rows={sizes} keyOf={keyOf} />
            )}
          </Panel>
          <PicturePanel
            title="Execution by Hour (UTC)"
            what="execution_by_hour"
            columns={BY_HOUR}
            rows={hours}
            keyOf={keyOf}
          >
            {hours.length === 0 ? (
              <p className="hint">Nothing has been ordered.</p>
            ) : (
              <Chart
                name="Slippage and fill rate by hour"
                drawing={hourDrawing(hours)}
                formatX={(hour) => `${Math.floor(hour)}:00`}
                summary={hourSummary(hours)}
              />
            )}
          </PicturePanel>
          <Settlements of={settlements} />
        </>
      )}
    </Loaded>
  );
}

const keyOf = ({ key }: Band) => key;

function columnsOf(header: string, narrowed: (key: string) => ResultFilter): readonly ReportColumn<Band>[] {
  const behind =
    (sortBy: ResultSort) =>
    ({ key }: Band): Behind => ({ batches: narrowed(key), sortBy });
  const count = (key: string, title: string, of: (band: Band) => number): ReportColumn<Band> => ({
    key,
    header: title,
    align: 'end',
    csv: (band) => String(of(band)),
    shown: (band) => formatCount(of(band)),
    of: behind('triggered_at'),
  });
  return [
    { key: 'label', header, csv: ({ label }) => label },
    count('legs', 'Legs', ({ legs }) => legs),
    count('filled_legs', 'Filled Legs', ({ filled_legs }) => filled_legs),
    {
      key: 'filled',
      header: 'Filled Shares',
      align: 'end',
      spare: true,
      csv: ({ filled }) => String(sharesToNumber(filled)),
      shown: ({ filled }) => formatShares(filled),
      of: behind('size'),
    },
    {
      key: 'rate',
      header: 'Fill Rate',
      align: 'end',
      csv: fillRateWords,
      of: behind('shortfall_usd'),
    },
    usdColumn('slippage', 'Slippage', ({ slippage_usd }) => slippage_usd, behind('slippage_usd'), 'cost'),
    {
      key: 'per_share',
      header: 'A Share',
      align: 'end',
      spare: true,
      csv: ({ slippage_usd, filled }) => centsPerShare(slippage_usd, filled),
      of: behind('slippage_usd'),
    },
    usdColumn(
      'before',
      'Before Send',
      ({ moved_before_send_usd: usd }) => usd,
      behind('moved_before_send_usd'),
      'cost',
    ),
    usdColumn('flight', 'In Flight', ({ moved_in_flight_usd: usd }) => usd, behind('moved_in_flight_usd'), 'cost'),
    usdColumn('added', 'Size We Added', ({ size_added_usd: usd }) => usd, behind('size_added_usd'), 'cost'),
  ];
}

const BY_SIZE = columnsOf('Size of Leg', (sizeBand) => ({ sizeBand }));
const BY_HOUR = columnsOf('Hour', (hour) => ({ hour }));

/** What of the last day's trades failed on the chain, and whether buying pauses for it. */
function Settlements({ of: { settled, undone, rate, pauses_above, is_paused } }: { of: Execution['settlements'] }) {
  const since = instantToIso(instantFromMs(Date.now() - DAY_MS)).slice(0, 10);
  return (
    <Panel title="Settlements" {...(is_paused && { tone: 'error' as const })}>
      {is_paused && <Note tone="error" title="Buying is paused: too many settlements have failed." />}
      <Figures
        figures={[
          {
            name: 'Settled',
            value: <Figure of={{ entries: { kind: 'settled', since } }}>{formatCount(settled)}</Figure>,
          },
          { name: 'Failed', value: <Figure of={{ entries: { kind: 'undone', since } }}>{formatCount(undone)}</Figure> },
          {
            name: 'Failure Rate',
            value:
              rate === null ? '–' : <Figure of={{ entries: { kind: 'undone', since } }}>{fractionWords(rate)}</Figure>,
          },
        ]}
      />
      <p className={`hint ${styles.note}`}>
        Over the last day, whatever the filters.{' '}
        {pauses_above === null
          ? 'Buying never pauses for them.'
          : `Buying pauses while more than ${fractionWords(pauses_above)} fail.`}
      </p>
    </Panel>
  );
}
