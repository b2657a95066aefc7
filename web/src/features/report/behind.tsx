import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use } from 'react';
import { withoutUnset } from '../../lists/list-search.ts';
import { LEDGER_SEARCH_DEFAULTS } from '../ledger/ledger-defaults.ts';
import type { LedgerFilter } from '../ledger/ledger-search.ts';
import { MISSED_SEARCH_DEFAULTS, RESULT_SEARCH_DEFAULTS } from './report-defaults.ts';
import type { MissedFilter, ReportFilter, ResultFilter, ResultSort } from './report-search.ts';

/** What the report around a figure is narrowed to. */
export const FilterContext = createContext<ReportFilter>({});

/** What a figure is made of. */
export type Behind =
  /** Batches, besides what the report is narrowed to, those first that add most to the figure. */
  | { batches: ResultFilter; sortBy?: ResultSort }
  | { entries: LedgerFilter }
  /** What was not taken, besides what the report is narrowed to. */
  | { missed: MissedFilter };

/** A figure that leads to what it is made of. */
export function Figure({ of, children }: { of: Behind; children: ReactNode }) {
  const filter = use(FilterContext);
  if ('entries' in of)
    return (
      <Link className="figure" to="/ledger" search={{ ...LEDGER_SEARCH_DEFAULTS, ...withoutUnset(of.entries) }}>
        {children}
      </Link>
    );
  if ('missed' in of)
    return (
      <Link
        className="figure"
        to="/report/missed"
        search={{ ...MISSED_SEARCH_DEFAULTS, ...withoutUnset({ ...filter, ...of.missed }) }}
      >
        {children}
      </Link>
    );
  const { batches, sortBy = RESULT_SEARCH_DEFAULTS.sortBy } = of;
  return (
    <Link
      className="figure"
      to="/report/batches"
      search={{ ...RESULT_SEARCH_DEFAULTS, ...withoutUnset({ ...filter, ...batches }), sortBy }}
    >
      {children}
    </Link>
  );
}
