/** Which values a market's words ask for. What cannot be read for sure is not read. */
import type { EventMember, Strike } from './catalogue-event.ts';
import { isPlain, normalWords, withoutDates } from './words.ts';

/** `rest`: the words without the number; two markets ask about the same variable only where they agree. */
export type ReadStrike = { strike: Strike; rest: string };

type Asked = Pick<EventMember, 'strike' | 'question' | 'outcomes' | 'rules' | 'clarifications'>;
/** Where a strike stands in the question, and what is left of its words: currency and unit. */
type Match = { at: number; length: number; strike: Strike; left: string };

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

// Each amount has four groups: currency, digits, a scale as a letter, a scale as a word. Nothing may stand behind it that goes on
// with the number, or makes a range or a misspelling of it. Digits and words of units are bounded: no pattern takes more than
// linear time.
const BETWEEN =
  /(?<![\w/.$-])(?:(?:between|from)\s([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?\s(?:and|to)\s([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?|(?:between\s)?([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?\s?[–-]\s?([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?)(?![\w–-]|[.,]\d|\s[–-]\s?\d)/gi;
const BELOW =
  /(?<![\w/.$-])(below|under|less than|fewer than|lower than|no more than|at most|dip to|fall to|<=|≤|<)\s?([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?(?![\w–-]|[.,]\d|\s[–-]\s?\d)/gi;
const ABOVE =
  /(?<![\w/.$-])(above|over|more than|greater than|higher than|exceed|no less than|no fewer than|at least|reach|>=|≥|>)\s?([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?(?![\w–-]|[.,]\d|\s[–-]\s?\d)/gi;
const OR_MORE =
  /(?<![\w/.$-])([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?(?:\+|((?:\s?[°%][a-z]?)?(?:\s[a-z]{1,12})?)\s(?:or|and)\s(?:more|higher|above|greater|over))(?!\w)/gi;
const OR_LESS =
  /(?<![\w/.$-])([$€£]?)(-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?)(?:(k|m|bn|b|t)|\s(thousand|million|billion|trillion))?((?:\s?[°%][a-z]?)?(?:\s[a-z]{1,12})?)\s(?:or|and)\s(?:less|lower|below|fewer|under)(?!\w)/gi;
/** Whether the end itself is among the values, by the words before a number; unknown where they are not named here. */
const HOLDS_END: Readonly<Record<string, boolean>> = {
  above: false,
  over: false,
  'more than': false,
  'greater than': false,
  'higher than': false,
  exceed: false,
  '>': false,
  'no less than': true,
  'no fewer than': true,
  'at least': true,
  '>=': true,
  '≥': true,
  below: false,
  under: false,
  'less than': false,
  'fewer than': false,
  'lower than': false,
  '<': false,
  'no more than': true,
  'at most': true,
  '<=': true,
  '≤': true,
};

/** A result on an end counts as the rules say, whatever the words before the number are. */
const MOVES_ENDS =
  /\b(?:exactly|falls?) between (?:two|the) (?:brackets|ranges|buckets)|\b(?:higher|lower) (?:range )?bracket\b/i;

/** From the venue's own field, or else from the question; null where the words name no range, or several. */
export function readStrike({ strike, question, outcomes, rules, clarifications }: Asked): ReadStrike | null {
  if (!isPlain(question)) return strike === null ? null : { strike, rest: normalWords(question.slice(0, 500)) };
  const found = matchesOf(question);
  const [only] = found;
  if (strike !== null) return { strike, rest: restWithout(question, strike, found.length === 1 ? only : undefined) };
  if (only === undefined || found.length > 1) return null;
  if (!isAskedByFirst(outcomes, only.strike)) return null;
  const rest = cut(question, only);
  return { strike: MOVES_ENDS.test(`${rules} ${clarifications ?? ''}`) ? withoutEnds(only.strike) : only.strike, rest };
}

function matchesOf(question: string): Match[] {
  let text = withoutDates(question);
  const found: Match[] = [];
  const take = (pattern: RegExp, read: (parts: readonly string[]) => Omit<Match, 'at' | 'length'> | null) => {
    text = text.replaceAll(pattern, (...parts: unknown[]) => {
      const texts = parts.map((part) => (typeof part === 'string' ? part : ''));
      const all = texts[0] ?? '';
      const at = parts.find((part) => typeof part === 'number') ?? 0;
      const match = read(texts);
      if (match !== null) found.push({ at, length: all.length, ...match });
      return ' '.repeat(all.length);
    });
  };
  // Either form of a range has groups of its own, of which the second is the lower end's digits.
  take(BETWEEN, (parts) => rangeOf(parts[2] === '' ? parts.slice(9) : parts.slice(1)));
  take(BELOW, ([, word = '', ...amount]) => limited('below', amount, HOLDS_END[word.toLowerCase()] ?? null));
  take(ABOVE, ([, word = '', ...amount]) => limited('above', amount, HOLDS_END[word.toLowerCase()] ?? null));
  take(OR_MORE, ([, ...amount]) => limited('above', amount, true));
  take(OR_LESS, ([, ...amount]) => limited('below', amount, true));
  return found;
}

/** `amount`: currency, digits, letter and word of the scale, and the unit where there is one. */
function limited(kind: 'above' | 'below', amount: readonly string[], holdsEnd: boolean | null) {
  const [currency = '', digits = '', letter = '', word = '', unit = ''] = amount;
  const value = amountOf(digits, letter || word);
  const strike: Strike =
    kind === 'above' ? { kind, floor: value, hasFloor: holdsEnd } : { kind, cap: value, hasCap: holdsEnd };
  return { strike, left: `#${currency}${unit}` };
}

function rangeOf([currency = '', low = '', letter = '', word = '', , high = '', ...scales]: readonly string[]) {
  const scale = scales.slice(0, 2).join('');
  const own = letter || word;
  const cap = amountOf(high, scale);
  // "10-20 million" has one scale for both ends; "500-1k" has not.
  const shared = amountOf(low, own || scale);
  const floor = shared < cap ? shared : amountOf(low, own);
  if (floor >= cap) return null;
  return { strike: { kind: 'between', floor, cap, hasFloor: null, hasCap: null } as const, left: `#${currency}` };
}

function withoutEnds(strike: Strike): Strike {
  if (strike.kind === 'above') return { ...strike, hasFloor: null };
  return strike.kind === 'below' ? { ...strike, hasCap: null } : strike;
}

function amountOf(digits: string, scale: string): number {
  return Number(digits.replaceAll(',', '')) * (SCALES[scale.toLowerCase()] ?? 1);
}

function cut(question: string, { at, length, left }: Pick<Match, 'at' | 'length' | 'left'>): string {
  return normalWords(`${question.slice(0, at)}${left}${question.slice(at + length)}`);
}

const ANY_NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/g;

/** The question without the strike's number. A strike from a venue's field may stand in other words there, or not at all. */
function restWithout(question: string, strike: Strike, match: Match | undefined): string {
  if (match !== undefined) return cut(question, match);
  const ends = strike.kind === 'above' ? [strike.floor] : strike.kind === 'below' ? [strike.cap] : [];
  const number = [...question.matchAll(ANY_NUMBER)].find(([digits]) =>
    ends.includes(Number(digits.replaceAll(',', ''))),
  );
  if (number === undefined) return normalWords(question);
  return cut(question, { at: number.index, length: number[0].length, left: '#' });
}

const LIMIT_WORDS =
  /\b(?:to|and|or|than|at|least|most|between|from|below|under|above|over|more|less|fewer|greater|lower|higher|exactly)\b/gi;
const SIGNS = /[<>≤≥=°–\-+,.:;?()*]/g;

/** The words of a question without its numbers and comparisons, with dates and units: equal for all ranges of one variable. */
export function wordsAround(question: string): string {
  const dated = withoutDates(question);
  // Digits of dates stay: in the copy without them letters stand in their places.
  const kept = [...question]
    .map((letter, at) => (/\d/.test(letter) && /\d/.test(dated[at] ?? '') ? ' ' : letter))
    .join('');
  const words = kept.replaceAll(LIMIT_WORDS, ' ').replaceAll(SIGNS, ' ');
  return [...new Set(normalWords(words).split(' '))].filter((word) => word !== '').join(' ');
}

/** The words say when "Yes" pays; "Over" of two outcomes is as good for what lies above. */
function isAskedByFirst([first = '']: readonly string[], { kind }: Strike): boolean {
  if (/^yes$/i.test(first)) return true;
  return kind === 'above' ? /^over\b/i.test(first) : kind === 'below' && /^under\b/i.test(first);
}
