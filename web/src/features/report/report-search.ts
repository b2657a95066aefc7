import { RELATION_KINDS } from '@dutchbook/contract/list-values.ts';
import { REASON_LENGTH_MAX } from '@dutchbook/contract/notes/reason-words.ts';
import { MISSED_STEPS } from '@dutchbook/contract/report.ts';
import { choice, day, flag, venue, wholeId } from '../../lists/filters.ts';
import {
  type FilterOf,
  filterReader,
  LATEST_FIRST,
  oneOf,
  type RawSearch,
  searchReader,
} from '../../lists/list-search.ts';
import { REPORT_SEARCH_DEFAULTS, RESULT_SEARCH_DEFAULTS } from './report-defaults.ts';

/** In place of a source, or of a structure: the batches that have none. */
export const NONE = '(none)';

/** A text that has to be the same as the server's; a number in an address is one too. */
function textFrom(lengthMax: number) {
  return (value: unknown): string | undefined => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return text === '' || text.length > lengthMax ? undefined : text;
  };
}

function numberOfRun(value: unknown): number | undefined {
  return /^[1-9]\d{0,5}$/.test(String(value)) ? Number(value) : undefined;
}

const DAY = { flex: '0 1 140px' };

/** What the report is narrowed to; its days are those of UTC, in which batches triggered and in which what is paid became cash. */
export const REPORT_FILTER = {
  /** Run of paper trading; by default the present one. */
  run: { from: numberOfRun },
  since: day('From day', DAY),
  until: day('Until day', DAY),
  operatorId: wholeId('Operator'),
  automatic: flag('Placed', ['Either way', 'Automatically', 'By hand']),
  venue: venue(),
  eventId: { from: textFrom(200) },
  source: { from: textFrom(255) },
  structure: choice('Structure', 'Any', [NONE, ...RELATION_KINDS], { words: { [NONE]: 'None' } }),
};

export type ReportFilter = FilterOf<typeof REPORT_FILTER>;

/** Whose day a profit belongs to: the day of its cash, or the one on which it was locked in. */
const BYS = ['cash', 'lock'] as const;
export type DayBy = (typeof BYS)[number];

/** What was earned and holds capital; how well orders were filled; what paid and was not taken. */
const TABS = ['money', 'execution', 'missed'] as const;
export const tabFrom = oneOf(TABS);

/** The state of the report, as it stands in the address. */
export type ReportSearch = ReportFilter & { by: DayBy; tab: (typeof TABS)[number] };

export const reportFilterFrom = filterReader(REPORT_FILTER);

export function reportSearchFrom(raw: RawSearch): ReportSearch {
  const { by, tab } = REPORT_SEARCH_DEFAULTS;
  return { ...reportFilterFrom(raw), by: oneOf(BYS)(raw.by) ?? by, tab: tabFrom(raw.tab) ?? tab };
}

/** The steps of the funnel that a batch goes through. */
const STEPS = ['filled', 'locked', 'cash'] as const;

export const MISSED_FILTER = {
  reached: choice('Last step', 'Any step', MISSED_STEPS),
  /** It reached this step, whether or not a later one. */
  cameTo: choice('Came to', 'Any step', MISSED_STEPS),
  reason: { label: 'Reason', from: textFrom(REASON_LENGTH_MAX), placeholder: 'Any', flex: '2 1 200px' },
};

const MISSED_SORTS = ['at', 'subject', 'reason', 'usd', 'size'] as const;

export const missedSearchFrom = searchReader({ ...REPORT_FILTER, ...MISSED_FILTER }, MISSED_SORTS, LATEST_FIRST);

/** The state of the list of what was missed, as it stands in the address. */
export type MissedSearch = ReturnType<typeof missedSearchFrom>;

function monthFrom(value: unknown): string | undefined {
  return typeof value === 'string' && /^(\d{4}-\d{2}|unknown)$/.test(value) ? value : undefined;
}

export const RESULT_FILTER = {
  lockDay: day('Day of lock', DAY),
  cashDay: day('Day of cash', DAY),
  cashSince: day('Cash from day', DAY),
  cashUntil: day('Cash until day', DAY),
  releaseMonth: {
    label: 'Release month',
    from: monthFrom,
    placeholder: '2026-01',
    refused: 'Enter a month, like 2026-01, or unknown',
  },
  isOpen: flag('Capital', ['Any', 'Still bound', 'All of it is cash']),
  reached: choice('Came to', 'Any step', STEPS),
  series: choice('Series', 'One row each', ['every_clip'], { words: { every_clip: 'Every clip' } }),
  sizeBand: { label: 'Size of leg', from: textFrom(20) },
  hour: {
    label: 'Hour of day',
    from: (value: unknown) => (/^\d{1,2}$/.test(String(value)) ? String(value) : undefined),
  },
};

const RESULT = { ...REPORT_FILTER, ...RESULT_FILTER };

export type ResultFilter = FilterOf<typeof RESULT>;

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

export const resultSearchFrom = searchReader(RESULT, RESULT_SORTS, RESULT_SEARCH_DEFAULTS);

/** The state of the list of results, as it stands in the address. */
export type ResultSearch = ReturnType<typeof resultSearchFrom>;
