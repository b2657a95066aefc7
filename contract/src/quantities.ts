/**
 * The one place where quantities become scaled integers from JSON numbers and back: a schema here decodes what came
 * over the wire and encodes what goes out, on both sides.
 */
import { type Fraction, fractionFromNumber, fractionToNumber } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import type { Micro } from '@dutchbook/units/micro.ts';
import { type Percent, percentFromNumber, percentToNumber } from '@dutchbook/units/percent.ts';
import {
  type Price,
  priceFromNumber,
  priceToNumber,
  setPriceFromNumber,
  type Tick,
  tickFromNumber,
  tickToNumber,
} from '@dutchbook/units/price.ts';
import { type Shares, sharesFromNumber, sharesToNumber } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { described, measured } from './notes/described.ts';

type Scaled = Micro<string> | Instant;

/** A decimal no larger than a micro unit can hold exactly. */
const boundedNumber = z.number().check(z.minimum(-1_000_000_000), z.maximum(1_000_000_000));

function scaled<T extends Scaled>(decode: (value: number) => T, encode: (value: T) => number, wire = boundedNumber) {
  return z.codec(wire, z.custom<T>(Number.isSafeInteger), { decode, encode });
}

const fromZero = z.number().check(z.minimum(0), z.maximum(1_000_000_000));

const NUMBER = 'a number with at most six decimals';

export const price = measured(
  `US dollars per share, ${NUMBER}, from 0 to 1.`,
  scaled<Price>(priceFromNumber, priceToNumber, z.number().check(z.minimum(0), z.maximum(1))),
);
/** Also per share where each bears the cost of more than itself. */
export const setPrice = measured(
  `US dollars per set (one share of every position) or per share, ${NUMBER}; may be above 1.`,
  scaled<Price>(setPriceFromNumber, priceToNumber, fromZero),
);
export const tick = measured(
  'US dollars per share: prices are multiples of it.',
  scaled<Tick>(tickFromNumber, tickToNumber),
);
export const shares = measured(`Shares, ${NUMBER}.`, scaled<Shares>(sharesFromNumber, sharesToNumber, fromZero));
export const usd = measured(`US dollars, ${NUMBER}.`, scaled<Usd>(usdFromNumber, usdToNumber));
export const percent = measured(
  `Percent, ${NUMBER}: 1.5 is one and a half percent.`,
  scaled<Percent>(percentFromNumber, percentToNumber),
);
export const fraction = measured(
  `A fraction, ${NUMBER}: 0.25 is a quarter.`,
  scaled<Fraction>(fractionFromNumber, fractionToNumber),
);

const NOT_A_TIME = 'Input should be a valid datetime';

export const instant = measured(
  'An ISO 8601 date and time; answers are in UTC.',
  z.codec(z.string().check(z.refine(isTime, NOT_A_TIME)), z.custom<Instant>(Number.isSafeInteger), {
    decode: instantFromIso,
    encode: instantToIso,
  }),
);

/** Who last changed a group of settings, and when. */
export const lastChange = {
  changed_at: described('When they were last changed; null if never.', z.nullable(instant)),
  changed_by: described(
    'The email of the person who last changed them; null before the first change.',
    z.nullable(z.string()),
  ),
};

/** In UTC, years of other than four digits are written in a way that a database does not read. */
const YEAR_1 = instantFromIso('0001-01-01');
const YEAR_10000 = Date.UTC(10_000, 0);

function isTime(text: string): boolean {
  try {
    const instant = instantFromIso(text);
    return instant >= YEAR_1 && instant < YEAR_10000;
  } catch {
    return false;
  }
}

/** A number written in a query string, decoded by one of the quantities above. */
export function inQuery<T extends Scaled>(quantity: z.ZodMiniCodec<z.ZodMiniNumber<number>, z.ZodMiniCustom<T, T>>) {
  const text = z.string().check(z.regex(/^-?\d{1,10}(\.\d+)?$/, 'Input should be a valid number'));
  const number = z.codec(text, z.number(), { decode: Number, encode: String });
  return z.pipe(number, quantity);
}
