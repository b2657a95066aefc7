import { expect, it } from 'vitest';
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
