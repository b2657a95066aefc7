import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collapseFills, type Fill, furtherReport, type Settlement, standingFills } from './fill.ts';
import {
  type AttemptEvent,
  type AttemptState,
  type AttemptStatus,
  attemptAfter,
  type BatchOrderStatus,
  batchOrderStatus,
  filledSize,
  hasAttemptEnded,
  isOrderFinal,
  rateLimited,
  wasAccepted,
} from './life.ts';

const EVENTS: AttemptEvent[] = ['sent', 'unknown', 'rejected', 'failed', 'delayed', 'open', 'canceled', 'matched'];

/** A row for each status, a column for each event. `.` is: nothing changes. */
const LIFE = `
              sent     unknown  rejected failed   delayed  open     canceled matched
  prepared    sent     unknown  rejected failed   delayed  open     canceled matched
  sent        .        unknown  rejected failed   delayed  open     canceled matched
  unknown     .        .        rejected failed   delayed  open     canceled matched
  rejected    .        .        .        failed   delayed  open     canceled matched
  failed      .        .        .        .        delayed  open     canceled matched
  delayed     .        .        .        .        .        open     canceled matched
  open        .        .        .        .        .        .        canceled matched
  canceled    .        .        .        .        .        .        .        matched
  matched     .        .        .        .        .        .        .        .
`;

const rows = LIFE.trim()
  .split('\n')
  .slice(1)
  .map((row) => row.trim().split(/\s+/));
const cells = rows.flatMap(([status = '', ...after]) =>
  EVENTS.map((event, index) => ({ status, event, after: after[index] === '.' ? status : after[index] })),
);

const fill = (tradeId: string, size: number, changes: Partial<Fill> = {}): Fill => ({
  attemptId: 'a1',
  tradeId,
  price: priceFromNumber(0.4),
  size: sharesFromNumber(size),
  cost: usdFromNumber(size * 0.4),
  fee: usdFromNumber(0.01),
  settlement: 'matched',
  ...changes,
});

const attempt = (status: AttemptStatus, matched: number | null = null, id = 'a1'): AttemptState => ({
  id,
  status,
  matchedSize: matched === null ? null : sharesFromNumber(matched),
});

describe('the life of an attempt', () => {
  it('covers every status and every event', () => {
    expect(cells.length).toBe(9 * 8);
  });

  it.each(cells)('$status, $event: $after', ({ status, event, after }) => {
    expect(attemptAfter(status as AttemptStatus, event)).toBe(after);
  });

  it('is as if never sent once the venue took no more calls, unless more is known of it', () => {
    const after = rows.map(([status]) => [status, rateLimited(status as AttemptStatus)]);
    expect(after.filter(([before, now]) => before !== now)).toEqual([
      ['sent', 'prepared'],
      ['unknown', 'prepared'],
    ]);
  });

  it('has an end in what the venue rejected, canceled or matched whole, and in what never reached it', () => {
    const ended = rows.filter(([status]) => hasAttemptEnded(status as AttemptStatus)).map(([status]) => status);
    expect(ended).toEqual(['rejected', 'failed', 'canceled', 'matched']);
  });

  it('ends in the same status whatever the order of the updates and however often they come', () => {
    const updates = fc.array(fc.constantFrom(...EVENTS), { minLength: 1 });
    const shuffled = updates.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
    );
    const start: AttemptStatus = 'prepared';
    fc.assert(
      fc.property(shuffled, ([events, others]) => {
        expect(others.reduce(attemptAfter, start)).toBe(events.reduce(attemptAfter, start));
      }),
    );
  });

  it.each<[AttemptStatus, boolean]>([
    ['prepared', false],
    ['sent', false],
    ['unknown', false],
    ['rejected', false],
    ['failed', false],
    ['delayed', true],
    ['open', true],
    ['canceled', true],
    ['matched', true],
  ])('%s was accepted: %s', (status, accepted) => {
    expect(wasAccepted(status)).toBe(accepted);
  });
});

describe('fills', () => {
  const anyFill = fc.record({
    attemptId: fc.constantFrom('a1', 'a2'),
    tradeId: fc.constantFrom('t1', 't2', 't3'),
    price: fc.constantFrom(priceFromNumber(0.4), priceFromNumber(0.41)),
    size: fc.integer({ min: 1, max: 3 }).map(sharesFromNumber),
    cost: fc.constantFrom(usdFromNumber(0.4), usdFromNumber(0.82)),
    fee: fc.constantFrom(usdFromNumber(0), usdFromNumber(0.01)),
    settlement: fc.constantFrom<Settlement>('matched', 'retrying', 'mined', 'failed', 'confirmed'),
  });

  it('are counted once for each trade and attempt, whatever the order and repetition of reports', () => {
    const shuffled = fc
      .array(anyFill)
      .chain((reports) =>
        fc.tuple(
          fc.constant(reports),
          fc.shuffledSubarray([...reports, ...reports], { minLength: reports.length * 2 }),
        ),
      );
    const byKey = (fills: Fill[]) => new Map(fills.map((each) => [`${each.tradeId} ${each.attemptId}`, each]));
    fc.assert(
      fc.property(shuffled, ([reports, others]) => {
        expect(byKey(collapseFills(others))).toEqual(byKey(collapseFills(reports)));
        expect(collapseFills(reports).length).toBe(byKey(reports).size);
        expect(filledSize(others)).toBe(filledSize(reports));
      }),
    );
  });

  it('follow the report whose settlement is further', () => {
    const line: Settlement[] = ['matched', 'retrying', 'mined', 'failed', 'confirmed'];
    for (const [index, settlement] of line.entries()) {
      for (const earlier of line.slice(0, index)) {
        const [early, late] = [fill('t', 2, { settlement: earlier }), fill('t', 1, { settlement })];
        expect([furtherReport(early, late), furtherReport(late, early)]).toEqual([late, late]);
      }
    }
  });

  it('follow the larger of two reports that are equally far, then the dearer', () => {
    const lesser = fill('t', 2);
    for (const larger of [
      fill('t', 3, { fee: usdFromNumber(0), price: priceFromNumber(0.1) }),
      fill('t', 2, { fee: usdFromNumber(0.02), price: priceFromNumber(0.1) }),
      fill('t', 2, { price: priceFromNumber(0.41) }),
    ]) {
      expect([furtherReport(lesser, larger), furtherReport(larger, lesser)]).toEqual([larger, larger]);
    }
  });

  it('are taken back when their settlement fails', () => {
    const reports = [fill('t1', 3), fill('t2', 2), fill('t1', 3, { settlement: 'failed' })];
    expect(standingFills(reports)).toEqual([fill('t2', 2)]);
    expect(filledSize(reports)).toBe(sharesFromNumber(2));
  });

  it('of one trade in two attempts are two', () => {
    expect(filledSize([fill('t', 3), fill('t', 2, { attemptId: 'a2' })])).toBe(sharesFromNumber(5));
  });
});

describe('a batch order of ten shares', () => {
  const size = sharesFromNumber(10);
  const undone = fill('t1', 10, { settlement: 'failed' });
  type Case = { name: string; attempts: AttemptState[]; fills?: Fill[]; status: BatchOrderStatus; final: boolean };

  it.each<Case>([
    { name: 'nothing attempted', attempts: [], status: 'pending', final: false },
    { name: 'prepared', attempts: [attempt('prepared')], status: 'pending', final: false },
    { name: 'sent, no answer yet', attempts: [attempt('sent')], status: 'processing', final: false },
    { name: 'sent, outcome unknown', attempts: [attempt('unknown')], status: 'processing', final: false },
    { name: 'held by the venue', attempts: [attempt('delayed')], status: 'processing', final: false },
    { name: 'resting', attempts: [attempt('open', 0)], status: 'open', final: false },
    { name: 'rejected', attempts: [attempt('rejected')], status: 'rejected', final: true },
    { name: 'never reached the venue', attempts: [attempt('failed')], status: 'failed', final: true },
    { name: 'canceled before anything filled', attempts: [attempt('canceled', 0)], status: 'canceled', final: true },
    { name: 'matched, its fills on their way', attempts: [attempt('matched', 10)], status: 'processing', final: false },
    { name: 'canceled, what it matched unknown', attempts: [attempt('canceled')], status: 'processing', final: false },
    {
      name: 'canceled, a fill on its way',
      attempts: [attempt('canceled', 4)],
      status: 'processing',
      final: false,
    },
    {
      name: 'a fill after the cancel',
      attempts: [attempt('canceled', 4)],
      fills: [fill('t1', 4)],
      status: 'partially_filled',
      final: true,
    },
    {
      name: 'one of two fills is here',
      attempts: [attempt('matched', 10)],
      fills: [fill('t1', 6)],
      status: 'partially_filled',
      final: false,
    },
    {
      name: 'resting after a part was filled',
      attempts: [attempt('open', 4)],
      fills: [fill('t1', 4)],
      status: 'partially_filled',
      final: false,
    },
    {
      name: 'filled in two trades',
      attempts: [attempt('matched', 10)],
      fills: [fill('t1', 6), fill('t2', 4)],
      status: 'filled',
      final: true,
    },
    {
      name: 'filled but for less than a hundredth of a share, the rest still standing',
      attempts: [attempt('open', 9.995)],
      fills: [fill('t1', 9.995)],
      status: 'partially_filled',
      final: false,
    },
    {
      name: 'filled but for less than a hundredth of a share, the rest gone',
      attempts: [attempt('canceled', 9.995)],
      fills: [fill('t1', 9.995)],
      status: 'filled',
      final: true,
    },
    {
      name: 'filled but for a hundredth of a share',
      attempts: [attempt('canceled', 9.99)],
      fills: [fill('t1', 9.99)],
      status: 'partially_filled',
      final: true,
    },
    {
      name: 'filled before the answer came',
      attempts: [attempt('sent')],
      fills: [fill('t1', 10)],
      status: 'filled',
      final: true,
    },
    { name: 'settlement failed', attempts: [attempt('matched', 10)], fills: [undone], status: 'failed', final: true },
    {
      name: 'a rejection, retried and resting',
      attempts: [attempt('rejected'), attempt('open', 0, 'a2')],
      status: 'open',
      final: false,
    },
    {
      name: 'a rejection, retry prepared',
      attempts: [attempt('rejected'), attempt('prepared', null, 'a2')],
      status: 'pending',
      final: false,
    },
    {
      name: 'a settlement failure, then a retry that was canceled',
      attempts: [attempt('matched', 10), attempt('canceled', 0, 'a2')],
      fills: [undone],
      status: 'canceled',
      final: true,
    },
    {
      name: 'the retry filled, a fill of the first attempt on its way',
      attempts: [attempt('canceled', 4), attempt('matched', 5, 'a2')],
      fills: [fill('t2', 5, { attemptId: 'a2' })],
      status: 'partially_filled',
      final: false,
    },
    {
      name: 'completed by a retry',
      attempts: [attempt('canceled', 4), attempt('matched', 6, 'a2')],
      fills: [fill('t1', 4), fill('t2', 6, { attemptId: 'a2' })],
      status: 'filled',
      final: true,
    },
  ])('$name: $status, final $final', ({ attempts, fills = [], status, final }) => {
    const order = { size, attempts, fills };
    expect([batchOrderStatus(order), isOrderFinal(order)]).toEqual([status, final]);
  });
});
