/** Which values, or which time, a market's words ask for. What cannot be read for sure is not read. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { MemberFacts, Strike } from './event-facts.ts';

/** `rest`: the words without the number or the date; two markets ask about the same only where they agree. */
export type ReadStrike = { strike: Strike; rest: string };
export type ReadDeadline = { deadline: Instant; rest: string };

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  trillion: 1e12,
};
const NUMBER = String.raw`[$€£]?\s?(-?\d[\d,]*(?:\.\d+)?)\s?(k|thousand|m|million|bn|b|billion|t|trillion)?(?![\d,.]*\d)\b`;
const ABOVE = new RegExp(String.raw`\b(above|over|more than|greater than|higher than|at least)\s+${NUMBER}`, 'gi');
const BELOW = new RegExp(String.raw`\b(below|under|less than|fewer than|lower than|at most)\s+${NUMBER}`, 'gi');
const HOLDS_END: readonly string[] = ['at least', 'at most'];

/** One threshold, from the venue's own field or from the question; null where the words name none, or several. */
export function readStrike({ strike, question }: Pick<MemberFacts, 'strike' | 'question'>): ReadStrike | null {
  const found = [...matches(question, ABOVE, 'above'), ...matches(question, BELOW, 'below')];
  const [only] = found;
  if (strike !== null)
    return { strike, rest: only === undefined ? normal(question) : normal(question.replace(only.text, '#')) };
  if (only === undefined || found.length > 1) return null;
  return { strike: only.strike, rest: normal(question.replace(only.text, '#')) };
}

function matches(question: string, pattern: RegExp, kind: 'above' | 'below'): { text: string; strike: Strike }[] {
  return [...question.matchAll(pattern)].map(([text, word = '', digits = '', scale = '']) => {
    const value = Number(digits.replaceAll(',', '')) * (SCALES[scale.toLowerCase()] ?? 1);
    const holdsEnd = HOLDS_END.includes(word.toLowerCase());
    return {
      text,
      strike: kind === 'above' ? { kind, floor: value, hasFloor: holdsEnd } : { kind, cap: value, hasCap: holdsEnd },
    };
  });
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const DATE = new RegExp(String.raw`\bby\s+(${MONTHS.join('|')})\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?`, 'gi');

/** "by June 30" or "by December 31, 2026"; the year of the market's end where the words have none. */
export function readDeadline({ question, endDate }: Pick<MemberFacts, 'question' | 'endDate'>): ReadDeadline | null {
  const found = [...question.matchAll(DATE)];
  const [only] = found;
  if (only === undefined || found.length > 1) return null;
  const [text, month = '', day = '', year] = only;
  const spelled = year === undefined ? endYear(endDate) : Number(year);
  if (spelled === null) return null;
  const ms = Date.UTC(spelled, MONTHS.indexOf(month.toLowerCase()), Number(day));
  return { deadline: instantFromMs(ms), rest: normal(question.replace(text, '#')) };
}

const YEAR_MS = 365.2425 * 86_400_000;

/** Between two years it is not known which one is meant. */
function endYear(endDate: Instant | null): number | null {
  if (endDate === null) return null;
  return Math.floor(1970 + endDate / YEAR_MS);
}

function normal(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
