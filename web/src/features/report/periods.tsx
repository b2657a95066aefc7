import { Button } from '@mantine/core';
import { daysAgo } from './days/days-ago.ts';
import type { ReportSearch } from './report-search.ts';

const PERIODS = [
  { label: 'Today', days: 0 },
  { label: '7 days', days: 6 },
  { label: '30 days', days: 29 },
  { label: '365 days', days: 364 },
  { label: 'All', days: null },
] as const;

type PeriodsProps = { search: ReportSearch; onSearch: (search: ReportSearch) => void };

/** The days that are asked for most; they end today, in UTC. */
export function Periods({ search, onSearch }: PeriodsProps) {
  return (
    <fieldset className="row" aria-label="Period">
      {PERIODS.map(({ label, days }) => {
        const since = days === null ? undefined : daysAgo(days);
        const isShown = search.since === since && search.until === undefined;
        return (
          <Button
            key={label}
            size="compact-sm"
            variant={isShown ? 'filled' : 'default'}
            aria-pressed={isShown}
            onClick={() => onSearch({ ...search, since, until: undefined })}
          >
            {label}
          </Button>
        );
      })}
    </fieldset>
  );
}
