/** What a hostile caller can make a call of: values of every kind that have broken servers before. */
import fc from 'fast-check';

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '1e400',
  '9'.repeat(40),
  '0x10',
  '１２３',
  'true ',
  'a'.repeat(5000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil\u200b',
  '🦀'.repeat(300),
  '\r\nx-injected: yes',
  '\u001b[31mred',
  "' OR '1'='1' --",
  "'; DROP TABLE users; --",
  '$1::text',
  '%',
  '_%\\',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '{{7*7}}',
  '=HYPERLINK("http://x")',
  '../../../etc/passwd',
  '..%2f..%2f',
  '/',
  '__proto__',
  'constructor',
  'admin@example.com',
  '9999-12-31T23:59:59.999Z',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
];

const NUMBERS = [
  ...[0, -0, -1, 1, 0.1, -0.000001, 1e-9, 1.0000001, 49.999999999],
  ...[2 ** 31, 2 ** 53, -(2 ** 53), 1e15, 1e21, 1e308, -1e308, 5e-324],
];

/** Names that a caller would like to set of themselves, of others or of all objects. */
const EXTRA_NAMES = [
  ...['is_superuser', 'is_active', 'id', 'owner_id', 'user_id', 'email', 'password_hash', 'hashed_password'],
  ...['session_epoch', 'created_at', 'status', 'content_hash', 'triggered', '__proto__', 'constructor', 'prototype'],
  ...['toString', 'hasOwnProperty', '', ' ', '$where', 'length', '0'],
];

/** One character of many kinds. The generators of all of Unicode take longer to be made than the calls take. */
export const oddCharacter: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'a',
    'Z',
    '0',
    ' ',
    '"',
    "'",
    ',',
    ';',
    '\\',
    '/',
    '<',
    '&',
    '=',
    '+',
    '-',
    '@',
    '%',
    '\n',
    '\t',
    '\u0000',
    '\u007f',
  ],
  ...['é', 'ß', 'İ', '中', '🦀', '\u0301', '\u202e', '\u200d', '\ufeff', '\ufffd', '\uffff', '\udc00'],
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: oddCharacter, maxLength: 60 }) },
);

const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }));

const DEPTHS = [5, 100, 3000];

function nested(depth: number, isList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
}

const deep = fc.tuple(fc.constantFrom(...DEPTHS), fc.boolean()).map(([depth, isList]) => nested(depth, isList));

/** Any JSON, ours excepted. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { a: {} }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(hostileNumber, { minLength: 200, maxLength: 400 }) },
);

/** Fields that no operation asks for; each is an own property, whatever it is called. */
export const extraFields: fc.Arbitrary<[name: string, value: unknown][]> = fc.array(
  fc.tuple(fc.constantFrom(...EXTRA_NAMES), fc.oneof(fc.constant<unknown>(true), hostileValue)),
  { minLength: 1, maxLength: 3 },
);

/** Bodies that are no JSON, or JSON that only its text shows. */
export const hostileBodyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '{', '[', '"', '{"a":}', 'nul', '\ufeff{}', '{}{}', '[1,]', '{"a":1e999}', '-', '0123', '\u0000'],
    '{"__proto__":{"is_superuser":true}}',
    '{"constructor":{"prototype":{"is_superuser":true}}}',
    '{"title":"a","title":"b"}',
    `{"title":${'['.repeat(20_000)}`,
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    'username=a&username=b&password[]=c',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  ),
  fc.string({ unit: oddCharacter, maxLength: 40 }),
);
