/** Which rows of a list are meant: by a text, by a day, or one by one. Apart from what every page loads. */
import { whyNoId } from '@dutchbook/units/ids.ts';
import * as z from 'zod/mini';
import { id } from '../listing.ts';

const FIND_LENGTH_MAX = 100;

/** A text that rows are found by, in small letters or capitals: no letter in it stands for any other. */
export const find = z.optional(
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(FIND_LENGTH_MAX),
    z.refine((text) => !text.includes('\0'), 'Input should not hold a zero byte'),
  ),
);

const IDS_MAX = 100;

/** The ids of selected rows, with commas between them. */
export const idsInQuery = z.codec(z.string(), z.array(z.string()), {
  decode: (text, { issues }) => {
    const ids = text.split(',');
    if (ids.length > IDS_MAX || !ids.every((each) => id.safeParse(each).success))
      issues.push({
        code: 'custom',
        input: text,
        message: `Input should be 1 to ${IDS_MAX} UUIDs with commas between them`,
      });
    return ids;
  },
  encode: (ids) => ids.join(','),
});

/** What an id of a venue may be made of; how long it may be, and whether it may be empty, stands where it is asked for. */
export const isVenueId = z.refine<string>((text) => text === '' || whyNoId(text) === null, {
  error: ({ input }) => `Input ${whyNoId(String(input))}`,
});

const MARKETS_MAX = 50;
const MARKET_ID_LENGTH_MAX = 200;

/** The ids of markets, with commas between them. */
export const marketIdsInQuery = z.codec(z.string(), z.array(z.string()), {
  decode: (text, { issues }) => {
    const ids = text.split(',');
    const isMarketId = (each: string) => each !== '' && each.length <= MARKET_ID_LENGTH_MAX && whyNoId(each) === null;
    if (ids.length > MARKETS_MAX || !ids.every(isMarketId))
      issues.push({
        code: 'custom',
        input: text,
        message: `Input should be 1 to ${MARKETS_MAX} ids of markets with commas between them`,
      });
    return ids;
  },
  encode: (ids) => ids.join(','),
});

const NOT_A_DAY = 'Input should be a day, like 2026-01-31';

export const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, NOT_A_DAY), z.refine(isDay, NOT_A_DAY));

/** Whether the text is a day of the calendar: neither 2026-02-30 nor the year 0, which no database reads. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) && !text.startsWith('0000');
}
