import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { type Result, result } from './result.fixture.ts';
import { batchResults, cashDays } from './table.ts';

const START = instantFromIso('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS = 300;

const dayOf = (at: number) => instantToIso(at as Instant).slice(0, 10);

/** What differs from batch to batch, and which days and milliseconds follow from it. */
const madeUp = fc.record({
  hour: fc.integer({ min: 0, max: 24 * 9 }),
  operator: fc.constantFrom('one', 'two', null),
  eventId: fc.constantFrom('cup', 'rain', 'vote'),
  source: fc.constantFrom('desk', 'found', null),
  structure: fc.constantFrom('exactly_one', 'ladder', null),
  size: fc.constantFrom(1, 10, 10.000001, 50, 4000, 5001).map((shares) => Math.round(shares * MICRO)),
  micros: fc.array(fc.integer({ min: -5_000_000, max: 9_000_000 }), { minLength: 12, maxLength: 12 }),
  counts: fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
  lockedAfter: fc.option(fc.nat(48)),
  cashAfter: fc.option(fc.nat(96)),
  releaseMonth: fc.constantFrom('2026-02', '2026-03', null),
  bound: fc.constantFrom(0, 3_000_000),
});

function rowsMadeUp(operators: Record<'one' | 'two', string>): Result[] {
  return fc.sample(madeUp, { numRuns: ROWS, seed: 25 }).map((made, nth) => {
    const at = (START + made.hour * HOUR_MS) as Instant;
    const [paidProfit = 0, lockedProfit = 0, atRisk = 0, before = 0, flight = 0, added = 0, ...rest] = made.micros;
    const [predictedProfit = 0, paid = 0, received = 0, fees = 0, shortfall = 0, capitalDays = 0] = rest;
    const [legs = 0, filledLegs = 0, fillCount = 0, undoneFills = 0] = made.counts;
    const micros = {
      ...{ paidProfit, lockedProfit, atRisk, movedBeforeSend: before, movedInFlight: flight, sizeAdded: added },
      ...{ predictedProfit, paid, received, fees, shortfall, capitalDays, size: made.size, locked: made.bound },
      ...{ orderedShares: made.size * 2, filledShares: made.size },
    } as Partial<Result>;
    const after = (hours: number | null) => (hours === null ? null : ((at + hours * HOUR_MS) as Instant));
    const [lockedAt, cashAt] = [after(made.lockedAfter), after(made.cashAfter)];
    return result(`00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`, at, {
      ...micros,
      ...{ legs, filledLegs, fillCount, undoneFills },
      operatorId: made.operator === null ? null : operators[made.operator],
      automatic: made.operator === null,
      eventId: made.eventId,
      eventTitle: `About ${made.eventId}`,
      source: made.source,
      structure: made.structure,
      sentAt: after(0.001),
      cashAt,
      lockDay: lockedAt === null ? null : dayOf(lockedAt),
      cashDay: cashAt === null ? null : dayOf(cashAt),
      releaseMonth: made.releaseMonth,
    });
  });
}

/** A filter as it is asked for, and the same by hand: batches, or what became cash, of its days. */
type Filter = [query: string, lets: (row: Result) => boolean, letsCash?: (row: Result) => boolean];

/** The list of what became cash in the days of a report. */
const byCash = (query: string) => query.replace('since', 'cash_since').replace('until', 'cash_until');

function filtersFor(operator: string): Filter[] {
  const within = (first: number, last: number) => (row: Result) =>
    row.triggeredAt >= START + first * DAY_MS && row.triggeredAt < START + (last + 1) * DAY_MS;
  const cashWithin = (first: string, last: string) => (row: Result) =>
    row.cashDay != null && row.cashDay >= first && row.cashDay <= last;
  return [
    ['', () => true],
    ['since=2026-01-03&until=2026-01-05', within(2, 4), cashWithin('2026-01-03', '2026-01-05')],
    [`operator_id=${operator}`, ({ operatorId }) => operatorId === operator],
    ['automatic=true', ({ automatic }) => automatic],
    ['event_id=rain', ({ eventId }) => eventId === 'rain'],
    ['source=desk', ({ source }) => source === 'desk'],
    ['source=&automatic=false', ({ source, automatic }) => source === null && !automatic],
    [
      'structure=ladder&until=2026-01-04',
      (row) => row.structure === 'ladder' && within(0, 3)(row),
      (row) => row.structure === 'ladder' && cashWithin('', '2026-01-04')(row),
    ],
    ['structure=&event_id=cup', ({ structure, eventId }) => structure === null && eventId === 'cup'],
  ];
}

const sum = (rows: readonly Result[], of: (row: Result) => number) => rows.reduce((total, row) => total + of(row), 0);
const micro = (value: unknown) => Math.round(Number(value) * MICRO);
const slippage = (row: Result) => row.movedBeforeSend + row.movedInFlight + row.sizeAdded;

/** Fields of an answer by what they add up of each batch. */
const DOLLARS: Record<string, (row: Result) => number> = {
  paid_usd: ({ paidProfit }) => paidProfit,
  locked_usd: ({ lockedProfit }) => lockedProfit,
  at_risk_usd: ({ atRisk }) => atRisk,
  predicted_usd: ({ predictedProfit }) => predictedProfit,
  fees_usd: ({ fees }) => fees,
  slippage_usd: slippage,
  moved_before_send_usd: ({ movedBeforeSend }) => movedBeforeSend,
  moved_in_flight_usd: ({ movedInFlight }) => movedInFlight,
  size_added_usd: ({ sizeAdded }) => sizeAdded,
  shortfall_usd: ({ shortfall }) => shortfall,
  cost_usd: ({ paid }) => paid,
  capital_usd: ({ locked }) => locked,
};
/** Dollars are added up in millionths, so sums are exact. */
function dollarsOf(rows: readonly Result[], names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, sum(rows, DOLLARS[name] ?? (() => Number.NaN))]));
}
function microsIn(served: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, micro(served[name])]));
}

type Listed = { data: Record<string, unknown>[]; count: number };

describe('the report', () => {
  let site: ReportSite;
  let rows: Result[];
  let filters: Filter[];
  beforeAll(async () => {
    site = await openReportSite();
    const [one, two] = [await site.addUser({ email: 'one@example.com' }), await site.addUser()];
    rows = rowsMadeUp({ one: one.id, two: two.id });
    filters = filtersFor(one.id);
    await site.test.runtime.db.insert(batchResults).values(rows);
    const days = rows.flatMap(({ cashDay: day, paidProfit: paid, ...row }) => (day ? [{ ...row, day, paid }] : []));
    await site.test.runtime.db.insert(cashDays).values(days);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const chosen = (lets: Filter[1]) => {
    const some = rows.filter(lets);
    expect(some.length, 'a filter that lets some through and not all says something').toBeGreaterThan(5);
    return some;
  };
  const listed = async (query: string): Promise<Listed> => await site.ask<Listed>(`batches?limit=1000&${query}`);
  /** What is behind a figure adds up to it. */
  const expectBehind = async (query: string, figure: Record<string, unknown>, names: readonly string[]) => {
    const { data, count } = await listed(query);
    expect(data).toHaveLength(count);
    const sums = Object.fromEntries(names.map((name) => [name, data.reduce((all, row) => all + micro(row[name]), 0)]));
    expect({ query, ...sums }).toEqual({ query, ...microsIn(figure, names) });
    return count;
  };

  it('adds up what matches to the last unit, and so does the list behind it', async () => {
    const names = Object.keys(DOLLARS).filter((name) => name !== 'paid_usd');
    for (const [query, lets, letsCash = lets] of filters) {
      const some = chosen(lets);
      const cash = rows.filter((row) => row.cashDay != null && letsCash(row));
      const summary = await site.ask<Record<string, unknown>>(`summary?${query}`);
      expect({ query, ...microsIn(summary, names) }).toEqual({ query, ...dollarsOf(some, names) });
      expect(summary).toMatchObject({
        batches: some.length,
        legs: sum(some, ({ legs }) => legs),
        filled_legs: sum(some, ({ filledLegs }) => filledLegs),
        fills: sum(some, ({ fillCount }) => fillCount),
        undone_fills: sum(some, ({ undoneFills }) => undoneFills),
        gas: [],
        income: { rewards_usd: 0, rebates_usd: 0, unknown_usd: 0 },
        times: { sent: { p50_ms: 3600, p90_ms: 3600, count: some.length }, matched: null },
      });
      expect(await expectBehind(query, summary, names)).toBe(some.length);
      expect({ query, paid: micro(summary.paid_usd) }).toEqual({
        query,
        paid: sum(cash, ({ paidProfit }) => paidProfit),
      });
      const days = byCash(query);
      if (days !== query) expect(await expectBehind(days, summary, ['paid_usd'])).toBe(cash.length);
    }
  });

  it('puts the profit of each batch on the day of its cash, on that of its lock, or on that of its trigger', async () => {
    const paid = ['paid_usd', 'fees_usd', 'slippage_usd'];
    for (const [by, dayOfRow, names] of [
      // What is bound still, or at risk, is cash on no day.
      ['cash', ({ cashDay }: Result) => cashDay, paid],
      ['lock', ({ lockDay }: Result) => lockDay, [...paid, 'locked_usd', 'at_risk_usd']],
      ['trigger', ({ triggeredAt }: Result) => new Date(triggeredAt).toISOString().slice(0, 10), paid],
    ] as const) {
      const behind = (day: unknown, query: string) => {
        if (by === 'lock') return `lock_day=${day}&${query}`;
        const others = query.replace(/since=.*/, '');
        return by === 'cash' ? `cash_day=${day}&${others}` : `since=${day}&until=${day}&${others}`;
      };
      for (const [query, lets, letsCash = lets] of filters.slice(0, 4)) {
        const some = chosen(by === 'cash' ? letsCash : lets).filter((row) => dayOfRow(row) !== null);
        const { days } = await site.ask<{ days: Record<string, unknown>[] }>(`days?by=${by}&${query}`);
        const byDay = Map.groupBy(some, (row) => String(dayOfRow(row)));
        expect(days.map(({ day }) => day)).toEqual([...byDay.keys()].sort());
        for (const served of days) {
          const ofDay = byDay.get(String(served.day)) ?? [];
          expect(served.batches).toBe(ofDay.length);
          expect(microsIn(served, names)).toEqual(dollarsOf(ofDay, names));
          await expectBehind(behind(served.day, query), served, names);
        }
      }
    }
  });

  it('tells what is bound by event, largest first, and by the month that releases it', async () => {
    const names = ['capital_usd', 'locked_usd', 'at_risk_usd'];
    for (const [query, lets] of filters) {
      const open = chosen(lets).filter(({ locked }) => locked > 0);
      const { events, months } = await site.ask<Record<'events' | 'months', Record<string, unknown>[]>>(
        `exposure?${query}`,
      );
      expect(events.map(({ capital_usd: bound }) => bound)).toEqual(
        events.map(({ capital_usd: bound }) => Number(bound)).sort((a, b) => b - a),
      );
      for (const [served, keyOf, filter] of [
        [events, ({ eventId }: Result) => eventId, 'event_id'],
        [months, ({ releaseMonth }: Result) => releaseMonth ?? null, 'release_month'],
      ] as const) {
        const groups = Map.groupBy(open, keyOf);
        expect(new Set(served.map(({ key }) => key))).toEqual(new Set(groups.keys()));
        for (const row of served) {
          const some = groups.get(row.key as string) ?? [];
          expect({ ...microsIn(row, names), batches: row.batches }).toEqual({
            ...dollarsOf(some, names),
            batches: some.length,
          });
          const others = query.includes(filter) ? query.replace(/&?event_id=\w+/, '') : query;
          await expectBehind(`${filter}=${row.key ?? 'unknown'}&is_open=true&${others}`, row, names);
        }
      }
    }
  });

  it('tells slippage and fills by size and by hour of the day', async () => {
    const names = ['slippage_usd', 'moved_before_send_usd', 'moved_in_flight_usd', 'size_added_usd'];
    for (const [query, lets] of filters) {
      const some = chosen(lets);
      const { sizes, hours } = await site.ask<Record<'sizes' | 'hours', Record<string, unknown>[]>>(
        `execution?${query}`,
      );
      const hourOf = ({ triggeredAt }: Result) => String(new Date(triggeredAt).getUTCHours());
      const bandOf = ({ size }: Result) => {
        const upTo = [10, 20, 50, 100, 200, 500, 1000, 5000].find((shares) => size <= shares * MICRO);
        return upTo === undefined ? 'above' : String(upTo);
      };
      for (const [served, keyOf, filter] of [
        [sizes, bandOf, 'size_band'],
        [hours, hourOf, 'hour'],
      ] as const) {
        const groups = Map.groupBy(some, keyOf);
        expect(new Set(served.map(({ key }) => key))).toEqual(new Set(groups.keys()));
        for (const band of served) {
          const inBand = groups.get(String(band.key)) ?? [];
          expect({ ...microsIn(band, [...names, 'ordered', 'filled']), legs: band.legs }).toEqual({
            ...dollarsOf(inBand, names),
            ordered: sum(inBand, ({ orderedShares }) => orderedShares),
            filled: sum(inBand, ({ filledShares }) => filledShares),
            legs: sum(inBand, ({ legs }) => legs),
          });
          await expectBehind(`${filter}=${band.key}&${query}`, band, names);
        }
      }
      expect(sizes.map(({ label }) => label)).toContain('above 5000 shares');
    }
  });

  it('lists by every value, both ways, each batch once, and writes the same into a file', async () => {
    for (const sort of [...Object.keys(DOLLARS), 'operator', 'event_title', 'cash_day', 'sent_ms', 'release_at']) {
      const pages = [0, 150].map((skip) => site.ask<Listed>(`batches?sort_by=${sort}&skip=${skip}&limit=150`));
      const [first, second] = await Promise.all(pages);
      expect(first?.count).toBe(ROWS);
      const ids = [...(first?.data ?? []), ...(second?.data ?? [])].map(({ batch_id: id }) => id);
      expect(new Set(ids).size).toBe(ROWS);
    }
    const { data } = await site.ask<Listed>('batches?sort_by=paid_usd&sort_order=asc&limit=3');
    const least = rows.map(({ paidProfit }) => paidProfit as number).sort((a, b) => a - b);
    expect(data.map(({ paid_usd: paid }) => micro(paid))).toEqual(least.slice(0, 3));
    const { status, text } = await site.askRaw('batches/export-csv?event_id=rain');
    const records = parse(text, { columns: true }) as Record<string, string>[];
    expect([status, records.length]).toEqual([200, rows.filter(({ eventId }) => eventId === 'rain').length]);
    const paid = records.reduce((all, record) => all + micro(record.paid_usd), 0);
    expect(paid).toBe(
      sum(
        rows.filter(({ eventId }) => eventId === 'rain'),
        ({ paidProfit }) => paidProfit,
      ),
    );
  });

  it('names the operator, and shows a batch that it does not know as not found', async () => {
    const { data } = await listed(`${filters[2]?.[0]}`);
    expect(new Set(data.map(({ operator }) => operator))).toEqual(new Set(['one@example.com']));
    const unknown = await site.askRaw('batches/00000000-0000-4000-8000-999999999999');
    expect(unknown).toEqual({ status: 404, text: JSON.stringify({ detail: 'Batch not found' }) });
  });

  it('refuses what is no day', async () => {
    for (const query of ['summary?since=2026-02-30', 'days?until=0000-01-01', 'batches?cash_day=2026-13-01']) {
      const { status, text } = await site.askRaw(query);
      expect([query, status]).toEqual([query, 422]);
      expect(text).toContain('Input should be a day');
    }
  });
});
