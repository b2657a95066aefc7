import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { VenueUnavailable } from '../venue.ts';
import { cashBalance } from './account-reads.ts';
import { judgeAnswer } from './pockets.ts';

const PAUSED = { code: 'transfers_are_paused', message: 'transfers are paused' };
const kindOf = (status: number, body: unknown, subaccount: number | null = null) =>
  judgeAnswer({ status, body }, subaccount).kind;

it('a move of cash is rejected by the words of the venue alone, and by an answer of which nothing is known it is not', () => {
  for (const status of [400, 409]) {
    expect(judgeAnswer({ status, body: PAUSED }, null)).toEqual({ kind: 'rejected', reason: 'transfers are paused' });
    expect(kindOf(status, { error: PAUSED }, 0)).toBe('rejected');
    // What stands between may have answered, after the venue took it.
    for (const body of ['<html>Bad Request</html>', null, [], {}, 'no']) expect(kindOf(status, body)).toBe('unknown');
    // The first of three steps may have been made.
    expect(kindOf(status, PAUSED, 3)).toBe('unknown');
  }
  for (const status of [401, 403, 429]) expect(kindOf(status, '', 3)).toBe('rejected');
  for (const status of [302, 404, 408, 410, 422, 500, 502, 503, 504]) expect(kindOf(status, PAUSED)).toBe('unknown');
  expect(kindOf(201, { transfer_id: 'transfer-1' })).toBe('taken');
  for (const body of [{}, null, '', { transfer_id: '' }, { error: PAUSED }]) expect(kindOf(201, body)).toBe('unknown');
});

it('keeps of a reason no more than a line of it', () => {
  const long = 'x'.repeat(100_000);
  for (const body of [{ error: long }, { code: long, message: '' }, { code: '', message: long }])
    expect(judgeAnswer({ status: 500, body }, null)).toEqual({ kind: 'unknown', reason: 'x'.repeat(300) });
});

it('cash is known by the shards of before while the venue does not say which there are, and not before it has once', async () => {
  const balance_breakdown = [{ exchange_index: 0, balance: '12.50' }];
  const get = async (path: string, query: Record<string, string> = {}) => {
    if (path === '/exchange/status') throw new VenueUnavailable('no answer');
    return 'exchange_index' in query ? { balance_dollars: '3.25' } : { balance_dollars: '12.50', balance_breakdown };
  };
  const runtime = { now: () => instantFromMs(600_000), log: { info: () => undefined, warn: () => undefined } };
  const cashWith = (...names: string[]) => {
    const context = { api: { get }, runtime, subaccount: null, shards: { names, readAt: instantFromMs(0) } };
    return cashBalance(context as unknown as Parameters<typeof cashBalance>[0]);
  };
  expect((await cashWith('0', '1')).pockets).toEqual(
    new Map([
      ['0', 12_500_000],
      ['1', 3_250_000],
    ]),
  );
  await expect(cashWith()).rejects.toThrow(VenueUnavailable);
});

it('cash says how far it may be behind the orders of the account, and the most where the venue does not say', async () => {
  const nowMs = Date.parse('2026-11-30T12:00:00Z');
  const behind = async (asOf: unknown) => {
    const get = async (path: string) => {
      if (path === '/exchange/user_data_timestamp') return { as_of_time: asOf };
      return { balance_dollars: '12.50', balance_breakdown: [{ exchange_index: 0, balance: '12.50' }] };
    };
    const runtime = { now: () => instantFromMs(nowMs), log: { info: () => undefined, warn: () => undefined } };
    const shards = { names: ['0'], readAt: instantFromMs(nowMs) };
    const context = { api: { get }, runtime, subaccount: null, shards };
    return (await cashBalance(context as unknown as Parameters<typeof cashBalance>[0])).behindMs;
  };
  // A second more, by which the clocks may be apart.
  expect(await behind('2026-11-30T11:59:58Z')).toBe(3_000);
  expect(await behind('2026-11-30T12:00:09Z')).toBe(1_000);
  for (const asOf of ['2026-11-30T11:00:00Z', undefined, 'noon']) expect(await behind(asOf)).toBe(15_000);
});
