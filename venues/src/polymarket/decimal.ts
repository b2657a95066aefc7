const DOT = 46;
const ZERO = 48;
const NINE = 57;
const WHOLE_DIGITS_MAX = 9;

/**
 * Micro units of a plain non-negative decimal as the stream writes prices and sizes, or NaN for anything else: a sign,
 * an exponent, words, nothing at all, or a non-zero seventh decimal. Agrees with `microFromText` of units, but neither
 * allocates nor throws: it runs twice for every level change of every book.
 */
export function microOrNaN(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  const length = text.length;
  let index = 0;
  let micro = 0;
  for (; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) break;
    if (code < ZERO || code > NINE) return Number.NaN;
    micro = micro * 10 + (code - ZERO);
  }
  const isBare = length === 0 || text === '.';
  if (isBare || index > WHOLE_DIGITS_MAX) return Number.NaN;
  return scaleDecimals(text, index, length, micro);
}

function scaleDecimals(text: string, dot: number, length: number, whole: number): number {
  let micro = whole;
  let decimals = 0;
  for (let index = dot + 1; index < length; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (decimals < 6) micro = micro * 10 + digit;
    else if (digit !== 0) return Number.NaN;
    decimals++;
  }
  for (; decimals < 6; decimals++) micro *= 10;
  return micro;
}
