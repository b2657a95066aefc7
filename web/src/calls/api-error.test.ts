import { describe, expect, it } from 'vitest';
import { ApiError, errorText, toastText, Unanswered } from './api-error.ts';

const failed = (status: number, body: unknown) => new ApiError({ url: '/api/v1/items/', status, statusText: '', body });

describe('the text of an error toast', () => {
  it.each([
    ['the detail of the server', { detail: 'Opportunity not found' }, 'Opportunity not found'],
    [
      'the first message of a list',
      { detail: [{ msg: 'Input should be a valid UUID' }, { msg: 'x' }] },
      'Input should be a valid UUID',
    ],
    ['a plain sentence for an empty list', { detail: [] }, 'Something went wrong.'],
    ['a plain sentence for a detail of another kind', { detail: { a: 1 } }, 'Something went wrong.'],
    ['a plain sentence for a page of a proxy', '<html>Bad Gateway</html>', 'Something went wrong.'],
    ['a plain sentence for no body', undefined, 'Something went wrong.'],
  ])('is %s', (_what, body, text) => {
    expect(toastText(failed(400, body))).toBe(text);
  });

  it('says that the server was not reached', () => {
    expect(toastText(new Unanswered(new TypeError('fetch failed')))).toBe('The server cannot be reached');
  });
});

describe('an inline message', () => {
  it('names the status where the server gave no detail', () => {
    expect(errorText(failed(422, ''))).toBe('Validation Error');
    expect(errorText(failed(503, null))).toBe('Service Unavailable');
  });

  it('names status and body of an unknown failure', () => {
    expect(errorText(failed(418, { teapot: true }))).toBe('Generic Error: status 418, body {"teapot":true}');
  });

  it('says that the server was not reached', () => {
    expect(errorText(new Error('The server cannot be reached'))).toBe('The server cannot be reached');
  });
});

describe('a failed call', () => {
  it('carries where it went, the status with its text, and the body', () => {
    const answer = { url: '/api/v1/items/', status: 409, statusText: 'Conflict', body: { detail: 'It is in use' } };
    expect(new ApiError(answer)).toMatchObject({ ...answer, message: 'It is in use' });
  });

  it('says whether it was given up or the server was not reached', () => {
    expect(new Unanswered(AbortSignal.abort().reason).message).toBe('Request aborted');
    expect(new Unanswered(new TypeError('fetch failed')).message).toBe('The server cannot be reached');
  });
});

describe('a session', () => {
  it.each([
    [401, true],
    [403, true],
    [400, false],
    [404, false],
    [409, false],
    [500, false],
  ])('after %i ends: %s', (status, ends) => {
    expect(failed(status, null).endsSession).toBe(ends);
  });
});
