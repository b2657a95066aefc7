/** Reads from a market's words the deadline by which something has to happen. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { EventMember } from './catalogue-event.ts';
import { isPlain, MONTHS, normalWords } from './words.ts';

/** `rest`: the words without the date; two markets ask whether the same happens only where they agree. */
export type ReadDeadline = { deadline: Instant; rest: string };

const DAY =
  /\b(on or before|by|before)(\s(?:the\s)?end\sof)?\s((?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))\.?\s(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s(\d{4})\b)?/gi;
const OF_MONTH =
  /\b(on or before|by|before)(\s(?:the\s)?end\sof)?\s((?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))(?:,?\s(\d{4}))?\b(?!\s\d)/gi;
const OF_YEAR = /\b(on or before|by|before)(\s(?:the\s)?end\sof)?\s(20[2-4]\d)\b/gi;
/** Claims about the day itself, or about a state that lasts until then, do not follow from an earlier deadline. */
const NOT_ONCE =
  /\b(?:no|remains?|stays?|still|keeps?|continues?|lasts?|survives?|holds?|most|(?<!at )least|largest|biggest|highest|lowest|best|top|leads?|leading|ranked|below|under|less|fewer|lower)\b/i;
/** A year that is not spelled out is that of the market's end, which lies at most so far from the date. */
const YEAR_GUESS_MAX_MS = 62 * 86_400_000;
const YEAR_MS = 365.2425 * 86_400_000;

/** "by June 30", "before July", "by December 31, 2026", "by end of 2026"; null where there is no date or more than one. */
export function readDeadline({
  question,
  endDate,
  outcomes,
}: Pick<EventMember, 'question' | 'endDate' | 'outcomes'>): ReadDeadline | null {
  if (!isPlain(question) || NOT_ONCE.test(question) || !/^yes$/i.test(outcomes[0] ?? '')) return null;
  const found = [...dates(question, endDate)];
  const [only] = found;
  if (only === undefined || found.length > 1 || only.ms === null) return null;
  return { deadline: instantFromMs(only.ms), rest: normalWords(question.replace(only.text, only.form)) };
}

/** `form`: how the date is written, because a day and a month written alone do not compare. */
function* dates(
  question: string,
  endDate: Instant | null,
): Generator<{ text: string; ms: number | null; form: string }> {
  for (const [text, by = '', end = '', month = '', day = '', year] of question.matchAll(DAY))
    yield { text, ms: dateMs(month, Number(day), year, endDate), form: `${by}${end} #day` };
  for (const [text, by = '', end = '', month = '', year] of question.matchAll(OF_MONTH))
    yield { text, ms: dateMs(month, 1, year, endDate), form: `${by}${end} #month` };
  for (const [text, by = '', end = '', year] of question.matchAll(OF_YEAR))
    yield { text, ms: Date.UTC(Number(year), 0, 1), form: `${by}${end} #year` };
}

function dateMs(month: string, day: number, year: string | undefined, endDate: Instant | null): number | null {
  const at = MONTHS.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3)));
  if (year !== undefined) return Date.UTC(Number(year), at, day);
  if (endDate === null) return null;
  const about = Math.floor(1970 + endDate / YEAR_MS);
  const distance = (ms: number) => Math.abs(ms - endDate);
  const [nearest = 0] = [about - 1, about, about + 1]
    .map((each) => Date.UTC(each, at, day))
    .sort((one, other) => distance(one) - distance(other));
  return distance(nearest) <= YEAR_GUESS_MAX_MS ? nearest : null;
}
