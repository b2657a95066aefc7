import { RELATION_KINDS } from '@dutchbook/contract/list-values.ts';
import { MISSED_STEPS, REASON_LENGTH_MAX } from '@dutchbook/contract/report.ts';
import { dayFrom } from '../../lists/day-from.ts';
import { type FilterOf, flagFrom, idFrom, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';
import { MISSED_SEARCH_DEFAULTS, REPORT_SEARCH_DEFAULTS, RESULT_SEARCH_DEFAULTS } from './report-defaults.ts';

/** In place of a source, or of a structure: the batches that have none. */
export const NONE = '(none)';

/** A text that has to be the same as the server's; a number in an address is one too. */
function textFrom(lengthMax: number) {
  return (value: unknown): string | undefined => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return text === '' || text.length > lengthMax ? undefined : text;
  };
}

/** What the report is narrowed to; its days are those of UTC, in which batches triggered. */
const REPORT_FILTER = {
  since: dayFrom,
  until: dayFrom,
  operatorId: idFrom,
  automatic: flagFrom,
  eventId: textFrom(200),
  source: textFrom(255),
  structure: oneOf([NONE, ...RELATION_KINDS]),
};

export type ReportFilter = FilterOf<typeof REPORT_FILTER>;

/** Whose day a profit belongs to: the day of its cash, or the one on which it was locked in. */
const BYS = ['cash', 'lock'] as const;
export type DayBy = (typeof BYS)[number];

/** The state of the report, as it stands in the address. */
export type ReportSearch = ReportFilter & { by: DayBy };

export function reportFilterFrom(raw: RawSearch): ReportFilter {
  const read = Object.entries(REPORT_FILTER).map(([name, from]) => [name, from(raw[name])]);
  return Object.fromEntries(read) as ReportFilter;
}

export function reportSearchFrom(raw: RawSearch): ReportSearch {
  return { ...reportFilterFrom(raw), by: oneOf(BYS)(raw.by) ?? REPORT_SEARCH_DEFAULTS.by };
}

/** The steps of the funnel that a batch goes through. */
export const STEPS = ['filled', 'locked', 'cash'] as const;

const MISSED_FILTER = {
  ...REPORT_FILTER,
  /** The last step that it reached. */
  reached: oneOf(MISSED_STEPS),
  /** It reached this step, whether or not a later one. */
  cameTo: oneOf(MISSED_STEPS),
  reason: textFrom(REASON_LENGTH_MAX),
};

export type MissedFilter = FilterOf<typeof MISSED_FILTER>;

const MISSED_SORTS = ['at', 'subject', 'reason', 'usd', 'size'] as const;

export const missedSearchFrom = searchReader(MISSED_FILTER, MISSED_SORTS, MISSED_SEARCH_DEFAULTS);

/** The state of the list of what was missed, as it stands in the address. */
export type MissedSearch = ReturnType<typeof missedSearchFrom>;

const RESULT_FILTER = {
  ...REPORT_FILTER,
  lockDay: dayFrom,
  cashDay: dayFrom,
  releaseMonth: (value: unknown) =>
    typeof value === 'string' && /^(\d{4}-\d{2}|unknown)$/.test(value) ? value : undefined,
  isOpen: flagFrom,
  reached: oneOf(STEPS),
  sizeBand: textFrom(20),
  hour: (value: unknown) => (/^\d{1,2}$/.test(String(value)) ? String(value) : undefined),
};

export type ResultFilter = FilterOf<typeof RESULT_FILTER>;

/** What the columns of the list sort by. */
const RESULT_SORTS = [
  'triggered_at',
  'event_title',
  'size',
  'predicted_usd',
  'paid_usd',
  'locked_usd',
  'at_risk_usd',
  'capital_usd',
  'cost_usd',
  'fees_usd',
  'slippage_usd',
  'moved_before_send_usd',
  'moved_in_flight_usd',
  'size_added_usd',
  'shortfall_usd',
  'books_age_ms',
  'sent_ms',
  'matched_ms',
  'confirmed_ms',
  'cash_ms',
] as const;
export type ResultSort = (typeof RESULT_SORTS)[number];

export const resultSearchFrom = searchReader(RESULT_FILTER, RESULT_SORTS, RESULT_SEARCH_DEFAULTS);

/** The state of the list of results, as it stands in the address. */
export type ResultSearch = ReturnType<typeof resultSearchFrom>;
