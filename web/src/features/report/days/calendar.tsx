import type { ReportDay } from '@dutchbook/contract/report.ts';
import { formatUsd, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { dateFormat } from '../../../ui/date-format.ts';
import { type Behind, Figure } from '../behind.tsx';
import type { DayBy } from '../report-search.ts';
import styles from './calendar.module.css';
import { monthAfter, monthOf, weeksBetween } from './calendar-weeks.ts';
import { midnightOf, profitOf } from './day-drawings.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const monthWords = dateFormat({ month: 'long', year: 'numeric' });

type ProfitCalendarProps = { days: readonly ReportDay[]; by: DayBy; behind: (day: string) => Behind };

/** A month of days, each with what it brought; the last month that has one is shown first. */
export function ProfitCalendar({ days, by, behind }: ProfitCalendarProps) {
  const last = monthOf(days.at(-1)?.day ?? new Date().toISOString());
  const [chosen, setChosen] = useState<string>();
  const month = chosen ?? last;
  const words = monthWords(midnightOf(`${month}-01`));
  const known = new Map(days.map((day) => [day.day, { ...day, profit: profitOf(day, by) }]));
  const first = monthOf(days[0]?.day ?? last);
  return (
    <div className={styles.calendar}>
      <div className={styles.month}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={month <= first}
          onClick={() => setChosen(monthAfter(month, -1))}
        >
          Previous
        </Button>
        <strong aria-live="polite">{words}</strong>
        <Button
          size="compact-sm"
          variant="default"
          disabled={month >= last}
          onClick={() => setChosen(monthAfter(month, 1))}
        >
          Next
        </Button>
      </div>
      <table className={styles.days} aria-label={`Profit by day, ${words}`}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksBetween(month, [...known.keys()]).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, place) => (
                <DayCell key={WEEKDAYS[place]} day={day} of={known.get(day ?? '')} behind={behind} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DayCellProps = {
  day: string | undefined;
  of: (ReportDay & { profit: Usd }) | undefined;
  behind: (day: string) => Behind;
};

function DayCell({ day, of, behind }: DayCellProps) {
  if (day === undefined) return <td />;
  const date = <span className={styles.date}>{Number(day.slice(8))}</span>;
  if (of === undefined) return <td data-day>{date}</td>;
  const { profit } = of;
  const batches = `${of.batches} ${of.batches === 1 ? 'batch' : 'batches'}`;
  return (
    <td data-day data-sign={signOf(profit)}>
      {date}
      <Figure of={behind(day)}>
        <span className={styles.profit}>
          {profit > 0 ? '+' : ''}
          {shortUsd(profit)}
        </span>
        <span className={styles.batches}>{batches}</span>
      </Figure>
    </td>
  );
}

function signOf(usd: Usd): 'gain' | 'loss' | 'even' {
  if (usd === 0) return 'even';
  return usd > 0 ? 'gain' : 'loss';
}

/** As much of an amount as a day of a calendar on a phone has room for. */
function shortUsd(usd: Usd): string {
  const dollars = Math.abs(usdToNumber(usd));
  if (dollars < 100) return formatUsd(usd);
  const sign = usd < 0 ? '-' : '';
  return dollars < 10_000 ? `${sign}$${dollars.toFixed(0)}` : `${sign}$${(dollars / 1_000).toFixed(1)}k`;
}
