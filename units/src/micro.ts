/**
 * Scaled-integer arithmetic shared by every quantity in this folder: a value is a whole number of millionths
 * ("micro"), the resolution at which the venues settle. Floats never decide or book anything.
 */

import { formatCount } from './count.ts';

export const MICRO = 1_000_000;

/** Which way a result that falls between two micro units goes. The caller names it, so no rounding is silent. */
export type Rounding = 'down' | 'up';

declare const unit: unique symbol;

/** A safe integer count of millionths of unit `U`. Brands keep a price from being passed where shares belong. */
export type Micro<U extends string> = number & { readonly [unit]: U };

/** Raised for text or numbers that are not a finite decimal with at most six decimals, or out of range. */
export class UnitError extends Error {
  override readonly name = 'UnitError';
}

const DECIMAL = /^(-?)(?:(\d{1,10})(?:\.(\d*))?|\.(\d+))$/;

/**
 * Micro units from a plain decimal such as `"0.55"` or `"-12"`; exponent notation is refused.
 * @throws UnitError when the text is not a decimal or carries a non-zero seventh decimal.
 */
export function microFromText(text: string, what: string): number {
  const match = DECIMAL.exec(text);
  if (!match) throw new UnitError(`${what}: "${text.slice(0, 40)}" is not a decimal number`);
  const decimals = match[3] ?? match[4] ?? '';
  if (/[1-9]/.test(decimals.slice(6))) throw new UnitError(`${what}: ${text.slice(0, 40)} has more than 6 decimals`);
  const magnitude = Number(match[2] ?? 0) * MICRO + Number(decimals.slice(0, 6).padEnd(6, '0'));
  if (!Number.isSafeInteger(magnitude)) throw new UnitError(`${what}: ${text.slice(0, 40)} is too large`);
  return match[1] === '-' && magnitude !== 0 ? -magnitude : magnitude;
}

/**
 * Micro units from a JSON number, to the nearest millionth: 0.1 + 0.2 is 300,000.
 * @throws UnitError when the number is not finite or too large to hold exactly.
 */
export function microFromNumber(value: number, what: string): number {
  const micro = Math.round(value * MICRO);
  if (!Number.isSafeInteger(micro)) throw new UnitError(`${what}: ${value} is not a number that can be held exactly`);
  return micro === 0 ? 0 : micro;
}

/** The nearest JSON number; exact to the last of its six decimals. */
export function microToNumber(micro: number): number {
  return micro / MICRO;
}

/** Shortest plain decimal, as the venues write it: 550,000 is `"0.55"`. */
export function microToText(micro: number): string {
  const magnitude = Math.abs(micro);
  const decimals = String(magnitude % MICRO)
    .padStart(6, '0')
    .replace(/0{1,6}$/, '');
  const whole = Math.floor(magnitude / MICRO);
  return `${micro < 0 ? '-' : ''}${whole}${decimals && `.${decimals}`}`;
}

/** Decimal text with exactly `decimals` places, half away from zero: what a person reads. */
export function microToFixed(micro: number, decimals: number): string {
  const step = 10 ** (6 - decimals);
  const rounded = Math.round(Math.abs(micro) / step) * step;
  const whole = formatCount(Math.floor(rounded / MICRO));
  const fraction = String(rounded % MICRO)
    .padStart(6, '0')
    .slice(0, decimals);
  return `${micro < 0 && rounded !== 0 ? '-' : ''}${whole}${decimals > 0 ? `.${fraction}` : ''}`;
}

/** `a * b / divisor` without losing a digit; `down` is towards minus infinity, `up` towards plus infinity. */
export function mulDiv(a: number, b: number, divisor: number, rounding: Rounding): number {
  return mulAddDiv(a, b, 0, divisor, rounding);
}

/**
 * `(a * b + c) / divisor`, rounded once. All are safe integers and `divisor` is positive.
 * @throws UnitError when the result is too large to hold exactly.
 */
export function mulAddDiv(a: number, b: number, c: number, divisor: number, rounding: Rounding): number {
  const dividend = a * b + c;
  if (Number.isSafeInteger(a * b) && Number.isSafeInteger(dividend)) return divInteger(dividend, divisor, rounding);
  return divWide(BigInt(a) * BigInt(b) + BigInt(c), BigInt(divisor), rounding);
}

/** Integer division of safe integers with a stated direction. `divisor` is positive. */
export function divInteger(dividend: number, divisor: number, rounding: Rounding): number {
  const remainder = dividend % divisor;
  const truncated = (dividend - remainder) / divisor;
  if (remainder === 0) return truncated === 0 ? 0 : truncated;
  if (rounding === 'down') return remainder < 0 ? truncated - 1 : truncated === 0 ? 0 : truncated;
  return remainder > 0 ? truncated + 1 : truncated === 0 ? 0 : truncated;
}

function divWide(dividend: bigint, divisor: bigint, rounding: Rounding): number {
  let quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (rounding === 'down' && remainder < 0n) quotient -= 1n;
  if (rounding === 'up' && remainder > 0n) quotient += 1n;
  const result = Number(quotient);
  if (!Number.isSafeInteger(result)) throw new UnitError(`${dividend} / ${divisor} is too large to hold exactly`);
  return result;
}
