import type { Change } from '@dutchbook/contract/stream.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { ClockChange } from './clock-change.fixture.ts';
import { LiveStore } from './live-store.ts';

const status = (seq: number, unknown_orders: number, id = 'system'): Change => ({
  seq,
  topic: 'system',
  type: 'system',
  id,
  data: {
    venue: 'simulated',
    armed: true,
    armed_changed: null,
    arming_refusal: null,
    feed: 'live',
    unknown_orders,
    automatic: 'all',
    trigger: { profit_percentage: PERCENT_ZERO, judged_by: 'depth', depth_usd: USD_ZERO },
    sale_loss_warning: PERCENT_ZERO,
  },
});

function openStore() {
  const clock = new ClockChange();
  const store = new LiveStore(clock);
  return { clock, store, shown: (id = 'system') => store.read('system', id)?.data.unknown_orders };
}

it('shows the first change at once and the rest five times a second', () => {
  const { clock, store, shown } = openStore();
  const repaint = vi.fn();
  store.watch('system', 'system', repaint);
  store.put(status(1, 1));
  clock.change(0);
  expect(shown()).toBe(1);
  for (let seq = 2; seq <= 100; seq++) {
    store.put(status(seq, seq));
    clock.change(10);
  }
  expect(repaint.mock.calls.length).toBeLessThanOrEqual(1 + 5);
  clock.change(200);
  expect(shown()).toBe(100);
});

it('shows a row that was quiet within a frame, however busy the others are', () => {
  const { clock, store, shown } = openStore();
  for (let seq = 1; seq <= 200; seq++) {
    store.put(status(seq, seq, `busy ${seq % 9}`));
    clock.change(5);
  }
  for (let nth = 1; nth <= 5; nth++) {
    store.put(status(200 + nth, nth, 'quiet'));
    clock.change(16);
    expect(shown('quiet')).toBe(nth);
    clock.change(300);
  }
});

it('shows together what changes in a fifth of a second when many rows are on screen', () => {
  const { clock, store } = openStore();
  for (let nth = 0; nth < 40; nth++) store.watch('system', `row ${nth}`, () => {});
  const flushes: number[] = [];
  store.watchAll((changes) => flushes.push(changes.length));
  for (let seq = 1; seq <= 100; seq++) {
    store.put(status(seq, seq, `row ${seq % 40}`));
    clock.change(10);
  }
  clock.change(200);
  expect(flushes.length).toBeLessThanOrEqual(1 + 6);
  expect(store.read('system', 'row 0')?.seq).toBe(80);
});

it('shows the changes after one that came late as they come, and not ever later', () => {
  const { clock, store, shown } = openStore();
  const showsAtOnce = (seq: number) => {
    store.put(status(seq, seq));
    clock.change(0);
    expect(shown()).toBe(seq);
  };
  showsAtOnce(1);
  clock.change(290);
  showsAtOnce(2);
  for (let seq = 3; seq <= 8; seq++) {
    clock.change(seq === 3 ? 110 : 200);
    showsAtOnce(seq);
  }
});

it('is not held up by a clock that was set back', () => {
  const { clock, store, shown } = openStore();
  store.put(status(1, 1));
  clock.change(0);
  clock.change(-3_600_000);
  store.put(status(2, 2));
  clock.change(0);
  expect(shown()).toBe(2);
});

it('repaints only the row that changed', () => {
  const { clock, store } = openStore();
  const repaintA = vi.fn();
  const repaintB = vi.fn();
  store.watch('system', 'a', repaintA);
  const stop = store.watch('system', 'b', repaintB);
  store.put(status(1, 1, 'a'));
  clock.change(0);
  stop();
  store.put(status(2, 1, 'b'));
  clock.change(200);
  expect([repaintA.mock.calls.length, repaintB.mock.calls.length]).toEqual([1, 0]);
});

it('keeps the newest state, in whatever order, however often and whenever the changes come', () => {
  const arrivals = fc.array(
    fc.record({ seq: fc.integer({ min: 1, max: 40 }), waitMs: fc.integer({ min: 0, max: 300 }) }),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(arrivals, (changes) => {
      const { clock, store, shown } = openStore();
      for (const { seq, waitMs } of changes) {
        store.put(status(seq, seq));
        clock.change(waitMs);
      }
      clock.change(200);
      expect(shown()).toBe(Math.max(...changes.map(({ seq }) => seq)));
    }),
  );
});

it('does not go back to a state that a process tells late, and takes one in which only prices have moved', () => {
  const { clock, store } = openStore();
  const row = (seq: number, updatedMs: number, current_price: number) =>
    ({
      seq,
      topic: 'opportunities',
      type: 'opportunity',
      id: 'a',
      data: { updated_at: updatedMs, current_price },
    }) as unknown as Change;
  const shown = () => store.read('opportunity', 'a')?.data.current_price;
  store.put(row(1, 2_000, 1));
  clock.change(0);
  store.put(row(2, 1_999, 2));
  clock.change(300);
  expect(shown()).toBe(1);
  store.put(row(3, 2_000, 3));
  store.put(row(4, 1_999, 4));
  clock.change(300);
  expect(shown()).toBe(3);
  store.put(row(5, 2_001, 5));
  clock.change(300);
  expect(shown()).toBe(5);
});

it('does not go back with a relation either', () => {
  const { clock, store } = openStore();
  const row = (seq: number, updatedMs: number, distance: number) =>
    ({
      seq,
      topic: 'relations',
      type: 'relation',
      id: 'a',
      data: { updated_at: updatedMs, distance },
    }) as unknown as Change;
  store.put(row(1, 2_000, 1));
  clock.change(0);
  store.put(row(2, 1_999, 2));
  clock.change(300);
  expect(store.read('relation', 'a')?.data.distance).toBe(1);
});

it('answers the same object until it changes, as React asks of a store', () => {
  const { clock, store } = openStore();
  store.put(status(1, 1));
  clock.change(0);
  const before = store.read('system', 'system');
  store.put(status(1, 1));
  clock.change(400);
  expect(store.read('system', 'system')).toBe(before);
});

it('tells list watchers what a flush brought, each object once', () => {
  const { clock, store } = openStore();
  const flushes: number[][] = [];
  store.watchAll((changes) => flushes.push(changes.map(({ seq }) => seq)));
  store.put(status(1, 1, 'a'));
  store.put(status(2, 1, 'b'));
  store.put(status(3, 2, 'a'));
  clock.change(0);
  expect(flushes).toEqual([[3, 2]]);
});

it('forgets rows that are not shown before it grows without end', () => {
  const { clock, store, shown } = openStore();
  store.watch('system', 'kept', () => {});
  store.put(status(1, 1, 'kept'));
  clock.change(0);
  for (let seq = 2; seq < 3_000; seq++) store.put(status(seq, seq, `row ${seq}`));
  clock.change(200);
  expect(shown('kept')).toBe(1);
  expect(shown('row 2')).toBeUndefined();
  expect(shown('row 2999')).toBe(2_999);
});
