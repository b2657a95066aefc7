/** Reasons that differ in their figures alone are one: "Leg 2 is short of 11 shares" and "Leg 1 is short of 4.5 shares". */
import { GAP, REASON_LENGTH_MAX } from '@dutchbook/contract/notes/reason-words.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The first sentence of a text, with `#` for each digit: many texts become few without a pattern being looked for in each. */
export function firstSentence(text: SQLWrapper): SQL<string> {
  return sql<string>`translate(split_part(${text}, '. ', 1), '0123456789', '##########')`;
}

/** The setting, in dollars, that the sentence asks for; 0 where it asks for none. */
export function neededSetting(text: SQLWrapper): SQL<number> {
  return sql<number>`coalesce(substring(split_part(${text}, '. ', 1) from ${NEEDED_SQL}::text)::numeric, 0)`;
}

const NEEDED_SQL = 'set it to \\$([0-9.]+) or more';
const NEEDED = /set it to \$([\d.]{1,20}) or more/;

/** The sentences of one of several refusals, with what lets all of them through where that is more than this one needs. */
export function forAll(whole: string, most: number, count: number): string {
  const [asked, own] = NEEDED.exec(whole) ?? [];
  if (asked === undefined || count < 2 || Number(own) >= most) return whole;
  return whole.replace(asked, `${asked} for it, $${most.toFixed(2)} or more for all ${count},`);
}

const LEG = /^Leg #+/;
/** The name of a batch, which ends the sentence and may hold a full stop. */
const NAMED_BATCH = /, of the batch “.*$/s;
/** Other legs that the same gate refuses. */
const MORE = /, and #+ more$/;
/** What the figures are, which the sentence can do without: " (34.00 shares, as …: $31.08 of $25.00)". */
const FIGURES = / \([^()#]*#[^()]*\)/g;
const NUMBER = /#([#.,]*#)?/g;

/** A sentence without leg and batch names, and with a gap for each other number. */
export function reasonOf(sentence: string): string {
  const general = sentence
    .replace(/\.$/, '')
    .replace(FIGURES, '')
    .replace(MORE, '')
    .replace(NAMED_BATCH, '')
    .replace(LEG, 'A leg');
  const reason = general.replace(NUMBER, GAP);
  return reason.slice(0, REASON_LENGTH_MAX).toWellFormed().trim();
}
