import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { idempotentRequests, randomKey } from './idempotent-requests.ts';

const refusal = (status: number) => new ApiError({ url: '/', status, statusText: '', body: { detail: 'No' } });

/** Sends requests and notes the keys they went out under; each answer is taken once, in order. */
function sender(...answers: (Error | 'done')[]) {
  let made = 0;
  const keys: string[] = [];
  const { ask, open } = idempotentRequests(() => `key ${++made}`);
  const send = (request: string) =>
    ask(request, async (key) => {
      keys.push(key);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    }).catch(() => undefined);
  return { send, keys, open };
}

it.each([
  ['the connection broke', new Error('The server cannot be reached')],
  ['the server broke', refusal(502)],
])('asks again under the same key when %s', async (_how, lost) => {
  const { send, keys } = sender(lost, 'done', 'done');
  await send('retry batch 1');
  await send('retry batch 1');
  expect(keys).toEqual(['key 1', 'key 1']);
  await send('retry batch 1');
  expect(keys[2], 'a request after one that was granted').toBe('key 2');
});

it('takes another key once the server has refused, and for another request', async () => {
  const { send, keys } = sender(refusal(409), new Error('lost'), 'done');
  await send('retry batch 1');
  await send('retry batch 1');
  await send('retry batch 2');
  expect(keys).toEqual(['key 1', 'key 2', 'key 3']);
});

it('keeps the key of a request whose answer was lost, whatever else is asked meanwhile', async () => {
  const { send, keys, open } = sender(new Error('lost'), refusal(409), 'done', 'done');
  await send('sell at 0.20');
  await send('sell at 0.19');
  expect(open(), 'the refusal was about the other one').toEqual(['sell at 0.20']);
  await send('sell at 0.19');
  await send('sell at 0.20');
  expect(keys).toEqual(['key 1', 'key 2', 'key 3', 'key 1']);
  expect(open()).toEqual([]);
});

it.each([429, 401, 403])('takes a %i for no answer to a request that was lost before', async (status) => {
  const { send, keys } = sender(new Error('lost'), refusal(status), refusal(409), 'done');
  for (let times = 0; times < 4; times += 1) await send('place the order');
  expect(keys, 'until the server has looked at it').toEqual(['key 1', 'key 1', 'key 1', 'key 2']);
});

it.each([429, 409])('ends a request whose first answer is a %i', async (status) => {
  const { send, keys } = sender(refusal(status), 'done');
  await send('place the order');
  await send('place the order');
  expect(keys).toEqual(['key 1', 'key 2']);
});

it('makes keys that do not repeat', () => {
  expect(randomKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomKey()).not.toBe(randomKey());
});
