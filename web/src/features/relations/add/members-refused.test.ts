import { expect, test } from 'vitest';
import { ApiError } from '../../../calls/api-error.ts';
import { membersRefused } from './members-refused.ts';

const refusal = (status: number, body: unknown) => new ApiError({ url: '', status, statusText: '', body });

test('what is refused of single members is known by their ids', () => {
  const detail = [
    { loc: ['body', 'market_ids', 1], msg: 'it is closed', type: 'value_error' },
    { loc: ['body', 'market_ids', 7], msg: 'it was not sent', type: 'value_error' },
    { loc: ['body', 'market_ids'], msg: 'too few', type: 'value_error' },
    { loc: ['body', 'note'], msg: 'too long', type: 'value_error' },
    'nonsense',
  ];
  expect([...membersRefused(refusal(422, { detail }), ['a', 'b'])]).toEqual([['b', 'it is closed']]);
});

test('whatever else was answered refuses no member', () => {
  for (const error of [refusal(409, { detail: [] }), refusal(422, { detail: 'all wrong' }), new Error('gone')])
    expect(membersRefused(error, ['a']).size).toBe(0);
});
