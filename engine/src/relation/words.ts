/** Helpers of the readers of questions. */

/** No question of a venue is as long; what is longer is not looked into. */
const QUESTION_LENGTH_MAX = 500;
/** Negations, which reverse what a number or a date asks for. */
const NEGATED = /\b(?:not|never|neither|without|fails?)\b|n[’']t\b/i;

export const MONTHS = [
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

const DATES =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s\d{1,2}(?:st|nd|rd|th)?(?:\s?[–-]\s?(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\s)?\d{1,2})?(?:,?\s\d{4})?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\s\d{4}\b|\b\d{4}-\d{2}-\d{2}\b|\b20[2-4]\d\s?[–/-]\s?(?:20)?[2-4]\d\b|\b(?:in|by|before|during|of|the|for|since|after|through|until)\s20[2-4]\d\b|\b\d{1,2}(?::\d{2})?\s?[ap]m\b/gi;

/** Short enough to be read, and without a word that reverses its meaning. */
export function isPlain(question: string): boolean {
  return question.length <= QUESTION_LENGTH_MAX && !NEGATED.test(question);
}

/** Replaces the digits of dates, seasons and hours by letters; the length stays. */
export function withoutDates(text: string): string {
  return text.replaceAll(DATES, (date) => date.replaceAll(/[\d–-]/g, 'x'));
}

export function normalWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/# (?=[°%])/g, '#')
    .trim();
}
