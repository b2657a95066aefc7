const DOT = 46;
const ZERO = 48;
const WHOLE_DIGITS_MAX = 9;

/**
 * Micro units of a plain non-negative decimal as the stream writes prices and sizes, or NaN for anything else: a sign,
 * an exponent, words, nothing at all, or a non-zero seventh decimal. Agrees with `microFromText` of units, but neither
 * allocates nor throws: it runs four times for every level change of every book.
 */
export function microOrNaN(text: unknown): number {
  return typeof text === 'string' ? microInText(text, 0, text.length) : Number.NaN;
}

/** Reads the part of a text from `start` up to, not including, `end`. */
export function microInText(text: string, start: number, end: number): number {
  let micro = 0;
  let index = start;
  for (; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit === DOT - ZERO) break;
    if (digit < 0 || digit > 9) return Number.NaN;
    micro = micro * 10 + digit;
  }
  const wholeDigits = index - start;
  if (wholeDigits > WHOLE_DIGITS_MAX || (wholeDigits === 0 && end - start < 2)) return Number.NaN;
  let decimals = 0;
  for (index += 1; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (decimals++ < 6) micro = micro * 10 + digit;
    else if (digit !== 0) return Number.NaN;
  }
  for (; decimals < 6; decimals++) micro *= 10;
  return micro;
}
