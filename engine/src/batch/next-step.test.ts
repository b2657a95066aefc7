import type { Instant } from '@dutchbook/units/instant.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptStatus } from '../order/life.ts';
import { type AttemptView, type BatchView, nextStep } from './next-step.ts';

const NOW = 1_000_000 as Instant;
const LATER = 9_000_000 as Instant;

const attempt = (id: string, status: AttemptStatus, rest: Partial<AttemptView> = {}): AttemptView => ({
  id,
  status,
  polledAt: null,
  pollCount: 0,
  notified: false,
  isLeftover: false,
  waitsUntil: null,
  ...rest,
});

const batch = (attempts: AttemptView[], rest: Partial<BatchView> = {}): BatchView => ({
  orders: [{ id: 'order', final: false, attempted: attempts.length > 0 }],
  attempts,
  deadline: LATER,
  ...rest,
});

const asked = (msAgo: number, pollCount = 1) => ({ polledAt: (NOW - msAgo) as Instant, pollCount });

describe('the next step of a batch', () => {
  it('signs the orders that have no attempt', () => {
    expect(nextStep(batch([]), NOW)).toEqual({ kind: 'sign', orderIds: ['order'] });
  });

  it('sends what is committed before it does anything else', () => {
    const view = batch([attempt('a', 'sent'), attempt('b', 'prepared')]);
    expect(nextStep(view, NOW)).toEqual({ kind: 'send', attemptIds: ['b'] });
  });

  it('reads an order that was given up and is spoken of, before it ends the batch', () => {
    const view = batch([attempt('a', 'rejected', { ...asked(0), notified: true })], {
      orders: [{ id: 'order', final: true, attempted: true }],
    });
    expect(nextStep(view, NOW)).toEqual({ kind: 'read', attemptIds: ['a'] });
  });

  it('asks about an attempt whose outcome is unknown, and does not sign another', () => {
    const attempts = [attempt('a', 'sent'), attempt('b', 'unknown')];
    expect(nextStep(batch(attempts), NOW)).toEqual({ kind: 'resolve', attemptIds: ['a', 'b'] });
  });

  it('asks about it more and more slowly, at most every five seconds', () => {
    expect(nextStep(batch([attempt('a', 'sent', asked(499))]), NOW)).toEqual({ kind: 'wait', at: NOW + 1 });
    expect(nextStep(batch([attempt('a', 'sent', asked(500))]), NOW).kind).toBe('resolve');
    expect(nextStep(batch([attempt('a', 'unknown', asked(4999, 40))]), NOW)).toEqual({ kind: 'wait', at: NOW + 1 });
    expect(nextStep(batch([attempt('a', 'unknown', asked(5000, 40))]), NOW).kind).toBe('resolve');
  });

  it.each(['open', 'delayed', 'matched', 'canceled'] as const)(
    'reads an attempt that is %s until it is accounted for',
    (status) => {
      expect(nextStep(batch([attempt('a', status)]), NOW)).toEqual({ kind: 'read', attemptIds: ['a'] });
      expect(nextStep(batch([attempt('a', status, asked(100))]), NOW).kind).toBe('wait');
      expect(nextStep(batch([attempt('a', status, { ...asked(100), notified: true })]), NOW).kind).toBe('read');
    },
  );

  it('cancels what is open once the deadline has passed, and only then', () => {
    const open = [attempt('a', 'open')];
    expect(nextStep(batch(open, { deadline: (NOW + 1) as Instant }), NOW).kind).toBe('read');
    expect(nextStep(batch(open, { deadline: NOW }), NOW)).toEqual({ kind: 'cancel', attemptIds: ['a'] });
  });

  it('lets an order wait beyond the deadline, polls it seldom, and takes it off at its own time', () => {
    const waitsUntil = (NOW + 60_000) as Instant;
    const view = (rest: Partial<AttemptView>) =>
      batch([attempt('a', 'open', { waitsUntil, ...rest })], { deadline: NOW });
    expect(nextStep(view({}), NOW)).toEqual({ kind: 'read', attemptIds: ['a'] });
    expect(nextStep(view(asked(14_999, 40)), NOW)).toMatchObject({ kind: 'wait' });
    expect(nextStep(view(asked(15_000, 40)), NOW).kind).toBe('read');
    expect(nextStep(view({ ...asked(0, 40), notified: true }), NOW).kind).toBe('read');
    expect(nextStep(view(asked(2000, 40)), waitsUntil)).toEqual({ kind: 'cancel', attemptIds: ['a'] });
    const alone = { ...view(asked(0, 40)), deadline: LATER };
    expect(nextStep(alone, NOW)).toEqual({ kind: 'wait', at: NOW + 15_000 });
    const nearly = batch([attempt('a', 'open', { waitsUntil: (NOW + 20) as Instant, ...asked(0, 40) })]);
    expect(nextStep(nearly, NOW)).toEqual({ kind: 'wait', at: NOW + 20 });
  });

  it('cancels the rest of an order of which less is left than an order could be for', () => {
    const attempts = [attempt('a', 'open', { isLeftover: true }), attempt('b', 'open')];
    expect(nextStep(batch(attempts), NOW)).toEqual({ kind: 'cancel', attemptIds: ['a'] });
    const asked300 = { ...asked(299), isLeftover: true };
    expect(nextStep(batch([attempt('a', 'open', asked300)]), NOW).kind).toBe('wait');
    expect(nextStep(batch([attempt('a', 'delayed', { isLeftover: true })]), NOW).kind).toBe('read');
  });

  it('after the deadline cancels what rests and is due, and goes on reading the others', () => {
    const [resting, asLong] = [attempt('a', 'open', asked(300)), attempt('b', 'open', asked(299))];
    const held = attempt('c', 'delayed', asked(300));
    const past = { deadline: NOW };
    expect(nextStep(batch([resting, asLong, held], past), NOW)).toEqual({ kind: 'cancel', attemptIds: ['a'] });
    expect(nextStep(batch([asLong, held], past), NOW)).toEqual({ kind: 'read', attemptIds: ['c'] });
  });

  it('reads again after 300 ms, then more and more slowly, at most every two seconds', () => {
    for (const [pauseMs, pollCount] of [
      [300, 1],
      [600, 2],
      [2000, 40],
    ] as const) {
      expect(nextStep(batch([attempt('a', 'open', asked(pauseMs - 1, pollCount))]), NOW)).toEqual({
        kind: 'wait',
        at: NOW + 1,
      });
      expect(nextStep(batch([attempt('a', 'open', asked(pauseMs, pollCount))]), NOW).kind).toBe('read');
    }
  });

  it('lets a refused attempt rest while the one after it is on its way', () => {
    const view = batch([attempt('a', 'rejected'), attempt('b', 'failed'), attempt('c', 'open', asked(0))]);
    expect(nextStep(view, NOW)).toEqual({ kind: 'wait', at: NOW + 300 });
  });

  it('waits for an attempt that ended while fills of it are missing, although another order is final', () => {
    const orders = [
      { id: 'done', final: true, attempted: true },
      { id: 'lacking', final: false, attempted: true },
    ];
    expect(nextStep(batch([attempt('a', 'matched', asked(0))], { orders }), NOW).kind).toBe('wait');
  });

  it('ends when every order is final', () => {
    const view = batch([], { orders: [{ id: 'order', final: true, attempted: true }] });
    expect(nextStep(view, NOW)).toEqual({ kind: 'end' });
  });

  it('never waits for a moment that has passed, whatever it is shown', () => {
    const status = fc.constantFrom<AttemptStatus>('sent', 'unknown', 'open', 'delayed', 'matched', 'canceled');
    const view = fc.record({
      id: fc.uuid(),
      status,
      polledAt: fc.option(fc.integer({ min: NOW - 20_000, max: NOW }).map((ms) => ms as Instant)),
      pollCount: fc.nat(50),
      notified: fc.boolean(),
      isLeftover: fc.boolean(),
      waitsUntil: fc.option(fc.integer({ min: NOW - 20_000, max: NOW + 20_000 }).map((ms) => ms as Instant)),
    });
    fc.assert(
      fc.property(fc.array(view, { minLength: 1, maxLength: 5 }), (attempts) => {
        const step = nextStep(batch(attempts), NOW);
        if (step.kind === 'wait') expect(step.at).toBeGreaterThan(NOW);
      }),
    );
  });
});
