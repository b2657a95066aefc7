/** Reasons that differ in their figures alone are one: "Leg 2 is short of 11 shares" and "Leg 1 is short of 4.5 shares". */
import { REASON_LENGTH_MAX } from '@dutchbook/contract/report.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The first sentence of a text, with `#` for each digit: many texts become few without a pattern being looked for in each. */
export function firstSentence(text: SQLWrapper): SQL<string> {
  return sql<string>`translate(split_part(${text}, '. ', 1), '0123456789', '##########')`;
}

const ID = /[a-f#]{8}(-[a-f#]{4}){3}-[a-f#]{12}/g;
const NUMBER = /#([#.,]*#)?/g;

/** Of what `firstSentence` has left, with N for each number and id. */
export function reasonOf(sentence: string): string {
  const reason = sentence.replace(ID, 'N').replace(NUMBER, 'N').replace(/\.$/, '');
  return reason.slice(0, REASON_LENGTH_MAX).toWellFormed().trim();
}
