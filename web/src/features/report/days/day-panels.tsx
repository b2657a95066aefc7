import type { ReportDay } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { Loaded } from '../../../calls/loaded.tsx';
import { Segments } from '../../../forms/segments.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { dateFormat } from '../../../ui/date-format.ts';
import { type Behind, FilterContext } from '../behind.tsx';
import { PicturePanel } from '../picture.tsx';
import { daysQuery } from '../report-queries.ts';
import type { DayBy, ReportSearch, ResultSort } from '../report-search.ts';
import { type ReportColumn, usdColumn } from '../report-table.tsx';
import { ProfitCalendar } from './calendar.tsx';
import { costDrawing, costSummary, dayAt, nothingBy, paidDrawing, paidSummary } from './day-drawings.ts';

type DayPanelsProps = Pick<ReportSearch, 'by'> & { onBy: (by: DayBy) => void };

const BYS: { value: DayBy; label: string }[] = [
  { value: 'cash', label: 'Day of cash' },
  { value: 'lock', label: 'Day of lock' },
];

/** What is locked in on a day is paid on another. */
const TITLES: Record<DayBy, string> = { cash: 'Profit by Day (UTC)', lock: 'Locked In by Day (UTC)' };

const CALENDAR_SAYS: Record<DayBy, string> = {
  cash: 'Profit by the day of the sale, redemption or conversion that made it cash: together Paid, above.',
  lock: 'Profit by the day on which its sets became whole, paid since then or still locked.',
};

/** What each day brought: on a calendar, added up, and what it took. */
export function DayPanels({ by, onBy }: DayPanelsProps) {
  const filter = use(FilterContext);
  const read = useQuery(daysQuery(filter, by));
  // Asked for together with the other, which it mostly is: begun once that is drawn, it would be read a second time.
  const ofCash = useQuery(daysQuery(filter, 'cash'));
  const ofTriggers = useQuery(daysQuery(filter, 'trigger'));
  const columns = COLUMNS[by];
  return (
    <Loaded of={read} text="Error loading the days" height={420}>
      {({ days }) => (
        <>
          <PicturePanel
            title={TITLES[by]}
            what={`profit_by_day_of_${by}`}
            columns={columns}
            rows={days}
            keyOf={keyOf}
            aside={
              <Segments
                aria-label="Profit belongs to"
                data={BYS}
                value={by}
                onChange={(chosen) => onBy(chosen === 'lock' ? 'lock' : 'cash')}
              />
            }
          >
            <p className="hint">{days.length === 0 ? nothingBy(by) : CALENDAR_SAYS[by]}</p>
            {days.length > 0 && (
              <ProfitCalendar days={days} by={by} behind={(day) => dayBehind(by, 'paid_usd')({ day })} />
            )}
          </PicturePanel>
          <div className="pair">
            <PaidPanel of={ofCash} />
            <CostsPanel of={ofTriggers} />
          </div>
        </>
      )}
    </Loaded>
  );
}

/** One day makes no line. */
const FIRST_DAY = 'The picture begins with the second day.';

const dayWords = dateFormat({ year: 'numeric', month: 'short', day: 'numeric' });

type CurveProps = { of: UseQueryResult<{ days: ReportDay[] }> };

/** Days of cash, whichever the calendar shows: they add up to what is paid. */
function PaidPanel({ of: read }: CurveProps) {
  return (
    <Loaded of={read} text="Error loading what is paid" height={280}>
      {({ days }) => <PaidOf days={days} />}
    </Loaded>
  );
}

function PaidOf({ days }: { days: readonly ReportDay[] }) {
  const paid = useMemo(() => paidDrawing(days, Date.now()), [days]);
  return (
    <PicturePanel title="Paid, Added Up" what="paid" columns={COLUMNS.cash} rows={days} keyOf={keyOf}>
      {days.length < 2 ? (
        <p className="hint">{days.length === 0 ? nothingBy('cash') : `${paidSummary(days)} ${FIRST_DAY}`}</p>
      ) : (
        <>
          <p className="hint">What had become cash by the end of each day: it ends at Paid, above.</p>
          <Chart
            name="Paid, added up"
            drawing={paid}
            formatX={(at) => dayWords(dayAt(days, at))}
            summary={paidSummary(days)}
          />
        </>
      )}
    </PicturePanel>
  );
}

/** Days of triggers: they add up to what all batches cost, cash again or not. */
function CostsPanel({ of: read }: CurveProps) {
  return (
    <Loaded of={read} text="Error loading fees and slippage" height={280}>
      {({ days }) => <CostsOf days={days} />}
    </Loaded>
  );
}

function CostsOf({ days }: { days: readonly ReportDay[] }) {
  const costs = useMemo(() => costDrawing(days, Date.now()), [days]);
  return (
    <PicturePanel title="Fees and Slippage" what="costs" columns={COLUMNS.trigger} rows={days} keyOf={keyOf}>
      {days.length < 2 ? (
        <p className="hint">
          {costSummary(days)} {days.length === 1 && FIRST_DAY}
        </p>
      ) : (
        <>
          <p className="hint">Of all batches by the day they triggered, cash or not: it ends at the figures above.</p>
          <Chart
            name="Fees and slippage"
            drawing={costs}
            formatX={(at) => dayWords(dayAt(days, at))}
            summary={costSummary(days)}
          />
        </>
      )}
    </PicturePanel>
  );
}

const keyOf = ({ day }: ReportDay) => day;

/** On which the days of a table are. */
type DayOf = DayBy | 'trigger';

function dayBehind(by: DayOf, sortBy: ResultSort) {
  return ({ day }: Pick<ReportDay, 'day'>): Behind => {
    if (by === 'cash') return { batches: { cashDay: day }, sortBy, byCash: true };
    return { batches: by === 'lock' ? { lockDay: day } : { since: day, until: day }, sortBy };
  };
}

function columnsBy(by: DayOf): readonly ReportColumn<ReportDay>[] {
  const behind = (sortBy: ResultSort) => dayBehind(by, sortBy);
  const ofBatches = [
    usdColumn<ReportDay>('locked', 'Locked', ({ locked_usd }) => locked_usd, behind('locked_usd'), 'signed'),
    usdColumn<ReportDay>('risk', 'At Risk', ({ at_risk_usd }) => at_risk_usd, behind('at_risk_usd')),
  ];
  return [
    { key: 'day', header: 'Day', csv: ({ day }) => day },
    {
      key: 'batches',
      header: 'Batches',
      align: 'end',
      csv: ({ batches }) => String(batches),
      shown: ({ batches }) => formatCount(batches),
      of: behind('triggered_at'),
    },
    usdColumn<ReportDay>(
      'paid',
      by === 'cash' ? 'Paid' : 'Paid Since',
      ({ paid_usd }) => paid_usd,
      behind('paid_usd'),
      'signed',
    ),
    // What is locked or at risk has become cash on no day.
    ...(by === 'cash' ? [] : ofBatches),
    usdColumn<ReportDay>('fees', 'Fees', ({ fees_usd }) => fees_usd, behind('fees_usd')),
    usdColumn<ReportDay>('slippage', 'Slippage', ({ slippage_usd }) => slippage_usd, behind('slippage_usd'), 'cost'),
  ];
}

const COLUMNS: Record<DayOf, readonly ReportColumn<ReportDay>[]> = {
  cash: columnsBy('cash'),
  lock: columnsBy('lock'),
  trigger: columnsBy('trigger'),
};
