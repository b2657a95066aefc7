import { readBatch } from '@dutchbook/contract/batches.ts';
import { endpoint, nothing } from '@dutchbook/contract/endpoint.ts';
import { createAccessToken } from '@dutchbook/contract/login.ts';
import { expect, it } from 'vitest';
import { ApiError, waitAskedMs } from './api-error.ts';
import { readReply, urlOf } from './call.ts';

const json = { url: '/api/v1/login/access-token', statusText: '', type: 'application/json; charset=utf-8' };

it('reads a reply as the contract says, and none where the server says that there is none', () => {
  const text = '{"access_token":"abc","token_type":"bearer","device_token":"d"}';
  expect(readReply(createAccessToken, { ...json, status: 200, text })).toMatchObject({ access_token: 'abc' });
  const silent = endpoint({ method: 'POST', path: '/', access: 'public', tag: '', summary: '', reply: nothing });
  expect(readReply(silent, { ...json, status: 204, text: 'no JSON' })).toBeUndefined();
});

it.each([
  ['another form', 200, '{"token":"abc"}', Error],
  ['no JSON', 200, '<html>', Error],
  ['a refusal', 409, '{"detail":"No"}', ApiError],
])('throws for %s', (_what, status, text, kind) => {
  expect(() => readReply(createAccessToken, { ...json, status, text })).toThrow(kind);
});

it('tells after how long the server wants to be asked again, where it says so in seconds', () => {
  const refusal = (retryAfter: string | null) => {
    try {
      return readReply(createAccessToken, { ...json, status: 429, text: '{"detail":"Wait"}', retryAfter });
    } catch (error) {
      return waitAskedMs(error);
    }
  };
  expect([refusal('7'), refusal(null), refusal('Thu, 01 Jan 2026 00:00:07 GMT')]).toEqual([7000, 0, 0]);
});

it('says of an address that was cut short that nothing has its id, without asking the server', () => {
  expect(() => urlOf(readBatch, { batch_id: '60be8c18' }, undefined)).toThrow(
    expect.objectContaining({ status: 404, message: 'Nothing has this ID' }),
  );
});
