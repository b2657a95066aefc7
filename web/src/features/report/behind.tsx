import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use } from 'react';
import { withoutUnset } from '../../lists/list-search.ts';
import type { LedgerFilter } from '../ledger/ledger-search.ts';
import type { MissedSearch, ReportFilter, ResultFilter, ResultSort } from './report-search.ts';

/** What the report around a figure is narrowed to. */
export const FilterContext = createContext<ReportFilter>({});

/** What a figure is made of. */
export type Behind =
  /**
   * Batches, besides what the report is narrowed to, those first that add most to the figure. `byCash`: it counts what became cash in
   * the days of the report, whenever the batch triggered.
   */
  | { batches: ResultFilter; sortBy?: ResultSort; byCash?: true }
  | { entries: LedgerFilter }
  /** What was not taken, besides what the report is narrowed to. */
  | { missed: Partial<MissedSearch> };

/** A figure that leads to what it is made of. */
export function Figure({ of, children }: { of: Behind; children: ReactNode }) {
  const filter = use(FilterContext);
  if ('entries' in of)
    return (
      <Link className="figure" to="/ledger" search={withoutUnset(of.entries)}>
        {children}
      </Link>
    );
  if ('missed' in of)
    return (
      <Link className="figure" to="/report/missed" search={withoutUnset({ ...filter, ...of.missed })}>
        {children}
      </Link>
    );
  const { batches, sortBy, byCash } = of;
  const narrowed = byCash ? byDaysOfCash(filter, batches) : { ...filter, ...batches };
  return (
    <Link className="figure" to="/report/batches" search={{ ...(sortBy && { sortBy }), ...withoutUnset(narrowed) }}>
      {children}
    </Link>
  );
}

/** A day of its own takes the place of those of the report. */
function byDaysOfCash({ since, until, ...others }: ReportFilter, batches: ResultFilter): ResultFilter {
  const days = batches.cashDay === undefined ? { cashSince: since, cashUntil: until } : {};
  return { ...others, ...days, ...batches };
}
