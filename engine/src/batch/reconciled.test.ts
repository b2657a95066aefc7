import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import type { AttemptStatus } from '../order/life.ts';
import type { BatchStatus } from './life.ts';
import { isReconciled } from './reconciled.ts';

const SINCE = instantFromMs(1_000_000);

const withAttempt = (
  status: AttemptStatus,
  { isOrderFinal = false, readMs = 0, of = 'processing' as BatchStatus, saleUnderWay = false } = {},
) =>
  isReconciled(
    { status: of, saleUnderWay, attempts: [{ status, isOrderFinal, readAt: instantFromMs(SINCE + readMs) }] },
    SINCE,
  );

describe('a batch that was left unfinished', () => {
  it('is reconciled once everything that stands at the venue was read since then', () => {
    for (const status of ['delayed', 'open', 'canceled', 'matched'] as const)
      expect([status, withAttempt(status), withAttempt(status, { readMs: -1 })]).toEqual([status, true, false]);
  });

  it('is not while something may still leave, or may have reached the venue', () => {
    for (const status of ['prepared', 'sent', 'unknown'] as const)
      expect([status, withAttempt(status, { readMs: 5000 })]).toEqual([status, false]);
  });

  it('does not wait for what never stood there, or whose order has ended', () => {
    expect(withAttempt('rejected', { readMs: -1 })).toBe(true);
    expect(withAttempt('failed', { readMs: -1 })).toBe(true);
    expect(withAttempt('unknown', { readMs: -1, isOrderFinal: true })).toBe(true);
  });

  it('is reconciled where it has ended, and a sale of it is carried out no more', () => {
    expect(withAttempt('unknown', { of: 'partial_completed' })).toBe(true);
    expect(withAttempt('unknown', { of: 'partial_completed', saleUnderWay: true })).toBe(false);
  });
});
