import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { authenticatorUri, judgeCode, secretText } from './totp.ts';

const SECRET = secretText(Uint8Array.from({ length: 20 }, (_, index) => index));
const NOW = Date.parse('2026-01-01T00:00:10Z');
const STEP = Math.floor(NOW / 30_000);

/** What a phone shows whose clock is off by so many milliseconds. */
const shownBy = (offMs: number) => new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: NOW + offMs });
const judge = (code: string, lastStep: number | null = null) =>
  judgeCode({ code, secret: SECRET, nowMs: NOW, lastStep });

describe('a code of an authenticator', () => {
  it.each([
    ['the same clock', 0, { kind: 'right', step: STEP }],
    ['a clock half a minute behind', -30_000, { kind: 'right', step: STEP - 1 }],
    ['a clock half a minute ahead', 30_000, { kind: 'right', step: STEP + 1 }],
    ['a clock a minute behind', -60_000, { kind: 'clock_off', minutes: 1 }],
    ['a clock two minutes behind', -120_000, { kind: 'clock_off', minutes: 2 }],
    ['a clock two minutes ahead', 120_000, { kind: 'clock_off', minutes: 2 }],
    ['a clock three minutes ahead', 180_000, { kind: 'wrong' }],
  ])('by %s', (_, offMs, judged) => {
    expect(judge(shownBy(offMs))).toMatchObject(judged);
  });

  it('is taken once, and no code before it is taken after it', () => {
    expect(judge(shownBy(0), STEP)).toEqual({ kind: 'reused' });
    expect(judge(shownBy(-30_000), STEP)).toEqual({ kind: 'reused' });
    expect(judge(shownBy(30_000), STEP)).toEqual({ kind: 'right', step: STEP + 1 });
  });

  it.each(['', '12345', '1234567', 'abcdef'])('is not “%s”', (code) => {
    expect(judge(code)).toEqual({ kind: 'wrong' });
  });

  it('is that of RFC 6238 for its secret', () => {
    const rfc = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;
    expect(judgeCode({ code: '287082', secret: rfc, nowMs: 59_000, lastStep: null })).toEqual({
      kind: 'right',
      step: 1,
    });
  });
});

it('is set up by an address that authenticators read', () => {
  const uri = new URL(authenticatorUri(SECRET, 'ada@example.com'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Dutchbook:ada@example.com',
  ]);
  expect(uri.searchParams.get('secret')).toBe(SECRET);
});
