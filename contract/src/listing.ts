import * as z from 'zod/mini';
import { described, explained } from './notes/described.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

function wholeNumber(minimum: number, maximum: number) {
  const text = z.string().check(z.regex(/^-?\d{1,15}$/, 'Input should be a valid integer'));
  const number = z
    .int()
    .check(
      z.minimum(minimum, `Input should be greater than or equal to ${minimum}`),
      z.maximum(maximum, `Input should be less than or equal to ${maximum}`),
    );
  return z.codec(text, number, { decode: Number, encode: String });
}

const YES: readonly string[] = ['true', '1', 'yes', 'y', 'on', 't'];
const NO: readonly string[] = ['false', '0', 'no', 'n', 'off', 'f'];

/** A flag in a query string, by any of the words that existing clients send: those in Python write `True`. */
export const flagInQuery = z.codec(z.string(), z.boolean(), {
  decode: (text, { issues }) => {
    const word = text.toLowerCase();
    if (YES.includes(word)) return true;
    if (!NO.includes(word)) issues.push({ code: 'invalid_type', expected: 'boolean', input: text });
    return false;
  },
  encode: String,
});

export const countInQuery = wholeNumber(0, Number.MAX_SAFE_INTEGER);

export const page = {
  skip: described(
    'How many of the matching rows to leave out before the first one.',
    z._default(wholeNumber(0, 10_000_000), 0),
  ),
  limit: described('How many rows to answer at most.', z._default(wholeNumber(1, LIMIT_MAX), LIMIT_DEFAULT)),
};

/** A folded list is of so many of the newest that match: grouping all that were ever recorded would read the whole table for each page. */
export const FOLDED_MAX = 1000;

type Span = { [Name in 'from' | 'since' | 'until']?: number | string | undefined };

/** A check of a query for a span of time: one that ends before it begins is refused, by the name of its end. */
export function notReversed(start: 'from' | 'since') {
  return z.refine<Span>(({ [start]: first, until }) => first === undefined || until === undefined || first <= until, {
    path: ['until'],
    error: `Input should not be before ${start}`,
  });
}

export const sortOrder = described(
  'The direction of `sort_by`.',
  explained(
    { asc: 'the smallest, earliest or first in the alphabet comes first', desc: 'the greatest or latest comes first' },
    z.enum(['asc', 'desc']),
  ),
);
export type SortOrder = z.output<typeof sortOrder>;

export const id = z.uuid('Input should be a valid UUID');

type Lists<Row extends z.ZodMiniObject> = {
  [Name in keyof Row['shape']]: z.output<Row['shape'][Name]> extends string | number | boolean | null ? never : Name;
}[keyof Row['shape']];

/** What a list of such rows sorts by: every field but `lists`, which hold several values each. */
/* @__NO_SIDE_EFFECTS__ */
export function sortsOf<Row extends z.ZodMiniObject, Name extends Lists<Row>>(row: Row, ...lists: Name[]) {
  type Sort = Exclude<keyof Row['shape'] & string, Name>;
  return Object.keys(row.shape).filter((name): name is Sort => !(lists as PropertyKey[]).includes(name));
}

/** The fields that a list sorts by. */
/* @__NO_SIDE_EFFECTS__ */
export function sortBy<const Name extends string>(names: readonly Name[]) {
  return described(
    'The field that the rows are sorted by.',
    explained(sortMeanings(names), z.enum(names as unknown as [Name, ...Name[]])),
  );
}

function sortMeanings<Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, `by the field \`${name}\``])) as Record<Name, string>;
}

/** `{data, count}`: one page, and how many there are in all. */
export function listOf<Row extends z.ZodMiniType>(row: Row) {
  return z.object({
    data: described('The rows of this page.', z.array(row)),
    count: described('How many rows match in all, on every page.', z.int()),
  });
}
