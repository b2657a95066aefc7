import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { flagInQuery } from './listing.ts';
import { sellAll, sellHeld, unwind } from './selling.ts';

const YES = ['true', '1', 'yes', 'y', 'on', 't'];
const NO = ['false', '0', 'no', 'n', 'off', 'f'];
const UNCLEAR = ['', ' ', 'false ', 'fals', 'falsey', '00', '-0', '0.0', '2', 'null', 'None', 'undefined', ['false']];

function inAnyCapitals(words: readonly string[]): string[] {
  return words.flatMap((word) => [word, word.toUpperCase(), word.replace(/^./, (first) => first.toUpperCase())]);
}

describe('a flag in a query string', () => {
  it('is taken by every word that clients of the API know for it, in capitals or not', () => {
    for (const word of inAnyCapitals(YES)) expect([word, z.decode(flagInQuery, word)]).toEqual([word, true]);
    for (const word of inAnyCapitals(NO)) expect([word, z.decode(flagInQuery, word)]).toEqual([word, false]);
  });

  it('is refused where it is neither', () => {
    for (const text of UNCLEAR) expect([text, z.safeParse(flagInQuery, text).success]).toEqual([text, false]);
  });

  it('is sent as true or false', () => {
    expect([true, false].map((flag) => z.encode(flagInQuery, flag))).toEqual(['true', 'false']);
  });

  it.each([sellAll, sellHeld, unwind])('of $path sells only where it is a clear no', ({ query }) => {
    expect(z.parse(query, {})).toEqual({ simulate: true });
    expect(z.parse(query, { simulate: 'False' })).toEqual({ simulate: false });
    for (const simulate of UNCLEAR)
      expect([simulate, z.safeParse(query, { simulate }).success]).toEqual([simulate, false]);
  });
});

function defOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** The fields of an object, or of each of those that may stand in its place or in its list. */
function fieldsOf(schema: z.core.$ZodType): (readonly [name: string, field: z.core.$ZodType])[] {
  const def = defOf(schema);
  if (def.type === 'object') return Object.entries(def.shape);
  if (def.type === 'array') return fieldsOf(def.element);
  return def.type === 'union' ? def.options.flatMap(fieldsOf) : [];
}

function fieldOf(schema: z.core.$ZodType, name: string): z.core.$ZodType[] {
  return fieldsOf(schema).flatMap(([key, field]) => (key === name ? [field] : []));
}

function isOneValue(schema: z.core.$ZodType): boolean {
  const def = defOf(schema);
  if (def.type === 'nullable') return isOneValue(def.innerType);
  if (def.type === 'pipe') return isOneValue(def.in);
  return !['object', 'array', 'optional'].includes(def.type);
}

function optionsOf(schema: z.core.$ZodType): unknown[] {
  const def = defOf(schema);
  if (def.type === 'default') return optionsOf(def.innerType);
  return def.type === 'enum' ? Object.values(def.entries) : [];
}

async function callsOfContract(): Promise<Endpoint[]> {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const files = (await Promise.all(names.map((name) => import(path.join(import.meta.dirname, name))))) as Record<
    string,
    unknown
  >[];
  const calls = files.flatMap(Object.values).filter((one) => one !== null && typeof one === 'object' && 'reply' in one);
  return calls as Endpoint[];
}

const calls = await callsOfContract();

const sorted = calls.flatMap(({ path, query, reply }) =>
  fieldOf(query, 'sort_by').map((sortBy) => ({ path, sorts: optionsOf(sortBy), rows: fieldOf(reply, 'data') })),
);

describe('a list that is sorted', () => {
  it('is one of these', () => {
    expect(sorted.map(({ path }) => path).sort()).toEqual([
      '/arbitrage/batches',
      '/arbitrage/opportunities',
      '/arbitrage/orders',
      '/notifications/records',
      '/relations',
      '/report/batches',
      '/report/missed',
    ]);
  });

  it.each(sorted)('of $path is so by every single value of its rows', ({ sorts, rows }) => {
    const values = rows.flatMap(fieldsOf).flatMap(([name, field]) => (isOneValue(field) ? [name] : []));
    expect(sorts.toSorted()).toEqual([...new Set(values)].sort());
  });
});

const spans = calls.flatMap(({ method, path, query }) => {
  const [start] = ['since', 'from'].filter((name) => fieldOf(query, name).length > 0);
  return start === undefined || fieldOf(query, 'until').length === 0 ? [] : [{ method, path, query, start }];
});

describe('a span of time in a query', () => {
  it('is taken by calls', () => expect(spans.length).toBeGreaterThan(10));

  it.each(spans)('of $method $path is refused by the name of its end where that comes before its beginning', (call) => {
    const { query, start } = call;
    const problemsOf = (first: string, last: string) =>
      z.safeDecode(query as z.ZodMiniType<unknown, unknown>, { token_id: '1', [start]: first, until: last }).error
        ?.issues ?? [];
    const isDay = problemsOf('2026-01-02', '2026-01-03').length === 0;
    const of = (day: string) => (isDay ? day : `${day}T00:00:00Z`);
    expect(problemsOf(of('2026-01-02'), of('2026-01-02'))).toEqual([]);
    expect(problemsOf(of('2026-01-02'), of('2026-01-01'))).toMatchObject([
      { path: ['until'], message: `Input should not be before ${start}` },
    ]);
  });
});
