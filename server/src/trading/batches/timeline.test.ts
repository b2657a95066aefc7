import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { notional, usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { NO_BOOK_PRICES } from '../execution/runner/book-prices.ts';
import { recordedBatch, SIZE } from '../execution/runner/runner.fixture.ts';
import { type AttemptRecord, type BatchState, type FillRecord, loadBatch } from '../orders/batch-state.ts';
import { timelineOf } from './timeline.ts';

const PRICE = priceFromText('0.4');

/** A batch of two orders of which nothing was sent yet, and moments after it was recorded. */
async function pendingBatch() {
  await using test = await openTestRuntime();
  const state = await loadBatch(test.runtime.db, await recordedBatch(test));
  const [first, second] = state?.orders ?? [];
  if (state === null || first === undefined || second === undefined) throw new Error('the batch was not recorded');
  const at = (ms: number) => instantFromMs(state.batch.createdAt + ms);
  return { state, batch: state.batch, first, second, at };
}

const { state, batch, first, second, at } = await pendingBatch();

function attempt(id: string, orderId: string, changed: Partial<AttemptRecord>): AttemptRecord {
  return {
    id,
    orderId,
    batchId: batch.id,
    orderHash: `0x${id}`,
    salt: '1',
    payload: 'signed',
    size: SIZE,
    price: PRICE,
    feeRate: null,
    ...NO_BOOK_PRICES,
    venueName: null,
    status: 'matched',
    matchedSize: SIZE,
    reason: null,
    unknownReason: null,
    createdAt: at(0),
    sentAt: at(10),
    endedAt: null,
    answeredAt: at(20),
    askedAt: null,
    lookupAnswer: null,
    goneAt: null,
    reserved: true,
    updatedAt: at(20),
    ...changed,
  };
}

function fill(attemptId: string, changed: Partial<FillRecord> = {}): FillRecord {
  return {
    tradeId: `trade of ${attemptId}`,
    orderHash: `0x${attemptId}`,
    attemptId,
    batchId: batch.id,
    price: PRICE,
    size: SIZE,
    cost: notional(SIZE, PRICE, 'up'),
    fee: usdFromText('0'),
    settlement: 'matched',
    matchedAt: at(20),
    createdAt: at(20),
    settledAt: null,
    inLedger: null,
    ...changed,
  };
}

const reported = (changed: Partial<typeof batch>, given: Partial<BatchState>) =>
  timelineOf({ ...state, ...given, batch: { ...batch, ...changed } });
const events = (...given: Parameters<typeof reported>) => reported(...given).map(({ event }) => event);

describe('the timeline of a batch', () => {
  it('begins with the decision, and says whose it was', () => {
    expect(reported({}, {})).toEqual([
      expect.objectContaining({ at: at(0), event: 'decided', order_id: null, size: SIZE, detail: 'Placed by hand.' }),
    ]);
    expect(reported({ automatic: true, simulated: true }, {})[0]?.detail).toBe('Placed automatically, simulated.');
  });

  it('follows every order to the end of its batch, in the order of life where the moment is the same', () => {
    const bought = {
      attempts: [attempt('a', first.id, {}), attempt('b', second.id, {})],
      fills: [fill('a', { fee: usdFromText('0.02') }), fill('b', { settlement: 'confirmed', settledAt: at(50) })],
    };
    const entries = reported({ status: 'completed', executionCompletedAt: at(20) }, bought);
    expect(entries.map(({ event, leg }) => [event, leg])).toEqual([
      ['decided', null],
      ['committed', 1],
      ['committed', 2],
      ['sent', 1],
      ['sent', 2],
      ['acknowledged', 1],
      ['acknowledged', 2],
      ['filled', 1],
      ['filled', 2],
      ['completed', null],
      ['settled', 2],
    ]);
    expect(entries.find(({ event }) => event === 'filled')).toMatchObject({
      market_name: 'Market 101',
      outcome: 'Yes',
      side: 'buy',
      size: SIZE,
      price: PRICE,
      detail: 'Fee $0.02.',
    });
  });

  it('says why an order was rejected or never sent, or why its outcome is unknown', () => {
    const reasonOf = (changed: Partial<AttemptRecord>, event: string) =>
      reported({}, { attempts: [attempt('a', first.id, changed)] }).find((entry) => entry.event === event)?.detail;
    expect(reasonOf({ status: 'rejected', reason: 'no balance' }, 'refused')).toBe('no balance');
    const unsent = { sentAt: null, answeredAt: null } as const;
    expect(reasonOf({ ...unsent, status: 'failed', reason: 'Not sent.' }, 'never_sent')).toBe('Not sent.');
    const silent = { ...unsent, sentAt: at(10), status: 'unknown', unknownReason: 'timed out' } as const;
    expect(reasonOf(silent, 'in_doubt')).toBe('Outcome unknown, asking: timed out');
    expect(reasonOf({ ...silent, askedAt: at(30), lookupAnswer: 'It does not have it' }, 'in_doubt')).toBe(
      'It does not have it',
    );
    expect(reasonOf({ ...silent, status: 'open', lookupAnswer: 'It has it' }, 'in_doubt')).toBe('It has it');
    const lost = { ...silent, status: 'failed', reason: 'It never reached the venue.' } as const;
    const neverSent = 'It never reached the venue. Outcome unknown, asking: timed out';
    expect(reasonOf(lost, 'never_sent')).toBe(neverSent);
    const awaited = attempt('a', first.id, { ...silent, status: 'sent', unknownReason: null });
    expect(events({}, { attempts: [awaited] })).not.toContain('in_doubt');
    const failed = { ...first, status: 'failed' as const, error: 'The opportunity was deleted.' };
    expect(reported({}, { orders: [failed] }).at(-1)).toMatchObject({ event: 'never_sent', detail: failed.error });
  });

  it('tells of a cancellation what was asked, what became of it and why the batch ended', () => {
    const rest = attempt('a', first.id, { status: 'canceled', matchedSize: sharesFromText('4'), updatedAt: at(900) });
    const canceled = {
      status: 'canceled',
      cancelRequestedAt: at(40),
      executionCompletedAt: at(60),
      lastError: 'Canceled: trading was disarmed.',
    } as const;
    const entries = reported(canceled, { attempts: [rest] });
    expect(entries.slice(-3)).toMatchObject([
      { event: 'cancel_requested', at: at(40) },
      { event: 'order_canceled', at: at(60), leg: 1 },
      { event: 'canceled', at: at(60), detail: 'Canceled: trading was disarmed.' },
    ]);
    const ended = reported(canceled, { attempts: [{ ...rest, endedAt: at(50) }] });
    expect(ended.find(({ event }) => event === 'order_canceled')?.at).toBe(at(50));
  });

  it('goes on through a retry and a sale, and keeps what the batch was before it was sold', () => {
    const sale = {
      ...first,
      id: 'sale',
      side: 'sell' as const,
      sellsOrderId: first.id,
      createdAt: at(300),
      ordinal: 2,
    };
    const times = { createdAt: at(300), sentAt: at(300), answeredAt: at(300), updatedAt: at(300) };
    const given = {
      sales: [sale],
      attempts: [
        attempt('a', first.id, { status: 'rejected', answeredAt: at(20), matchedSize: null }),
        attempt('b', first.id, { createdAt: at(200), sentAt: at(210), answeredAt: at(220) }),
        attempt('c', 'sale', times),
      ],
      fills: [
        fill('b', { matchedAt: at(220), settlement: 'failed', settledAt: at(250) }),
        fill('b', { tradeId: 'another', matchedAt: at(220) }),
        fill('c', { matchedAt: at(300) }),
      ],
    };
    const sold = {
      status: 'sold',
      retryRequestedAt: at(100),
      retryCount: 1,
      executionCompletedAt: at(300),
      soldAt: at(300),
    } as const;
    const entries = reported(sold, given);
    expect(entries.map(({ event, side }) => (side === 'sell' ? `sell ${event}` : event))).toEqual([
      'decided',
      'committed',
      'sent',
      'refused',
      'retry_requested',
      'committed',
      'sent',
      'acknowledged',
      'filled',
      'filled',
      'settlement_failed',
      'completed',
      'sell sale_decided',
      'sell committed',
      'sell sent',
      'sell acknowledged',
      'sell filled',
      'sold',
    ]);
    expect(entries.find(({ event }) => event === 'retry_requested')?.detail).toBe('Retry 1 of 3.');
  });

  it('keeps what the batch had ended as before one of its trades was undone', () => {
    const given = {
      attempts: [attempt('a', first.id, {}), attempt('b', second.id, {})],
      fills: [
        fill('a', { settlement: 'failed', settledAt: at(90) }),
        fill('b', { settlement: 'confirmed', settledAt: at(80) }),
      ],
    };
    const undone = {
      status: 'partial_completed',
      executionCompletedAt: at(30),
      lastError: 'A trade was undone.',
    } as const;
    const ends = reported(undone, given)
      .slice(-4)
      .map(({ at: moment, event, detail }) => [moment - batch.createdAt, event, detail]);
    expect(ends).toEqual([
      [30, 'completed', null],
      [80, 'settled', null],
      [90, 'settlement_failed', null],
      [90, 'partial_completed', 'A trade was undone.'],
    ]);
  });
});
