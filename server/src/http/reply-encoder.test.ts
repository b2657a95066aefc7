import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { instant, price, usd } from '@dutchbook/contract/quantities.ts';
import { instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { encoderOf, NotAsPromised } from './reply-encoder.ts';

const AT = instantFromIso('2026-02-03T04:05:06.789Z');
const ID = '00000000-0000-4000-8000-000000000000';
const kind = z.enum(['bought', 'sold']);
const REPLY = z.object({
  id: z.uuid(),
  text: z.string().check(z.trim(), z.minLength(2)),
  count: z.int().check(z.minimum(0)),
  share: z.number(),
  isOn: z.boolean(),
  kind,
  version: z.literal(2),
  at: instant,
  price: z.nullable(price),
  worth: z.optional(usd),
  legs: z.array(z.strictObject({ leg: z.int(), price })).check(
    z.minLength(1),
    z.refine((legs) => new Set(legs.map(({ leg }) => leg)).size === legs.length),
  ),
  either: z.union([z.object({ bought: instant }), z.object({ sold: usd })]),
  data: z.unknown(),
});
type Reply = z.output<typeof REPLY>;

const GIVEN = {
  id: ID,
  text: ' as said ',
  count: 3,
  share: 0.1,
  isOn: false,
  kind: 'sold',
  version: 2,
  at: AT,
  price: 123_456,
  worth: -5,
  legs: [
    { leg: 1, price: 0 },
    { leg: 2, price: 1_000_000 },
  ],
  either: { sold: 7 },
  data: { anything: [1] },
} as unknown as Reply;

describe('a reply', () => {
  it.each<[string, object]>([
    ['as it is', {}],
    ['without what may be missing', { price: null, worth: undefined, data: undefined, either: { bought: AT } }],
    ['with more than is promised', { password_hash: 'secret', either: { sold: 7, password_hash: 'secret' } }],
    ['of the first and the last moment', { at: instantFromIso('0001-01-01') }],
    ['of the last moment', { at: instantFromMs(Date.UTC(10_000, 0) - 1) }],
  ])('is encoded as Zod encodes it: %s', (_, changes) => {
    const reply = { ...GIVEN, ...changes };
    const text = JSON.stringify(encoderOf(REPLY)(reply));
    expect(text).toBe(JSON.stringify(z.encode(REPLY, reply)));
    expect(text).not.toContain('secret');
  });

  it.each<[string, object]>([
    ['id', { id: 'me' }],
    ['text', { text: ' x ' }],
    ['text', { text: null }],
    ['count', { count: 0.5 }],
    ['count', { count: -1 }],
    ['share', { share: Number.NaN }],
    ['isOn', { isOn: undefined }],
    ['kind', { kind: 'lost' }],
    ['version', { version: 3 }],
    ['at', { at: 0.5 }],
    ['at', { at: Date.UTC(10_000, 0) }],
    ['price', { price: 1_000_001 }],
    ['price', { price: 0.5 }],
    ['worth', { worth: null }],
    ['legs', { legs: [] }],
    ['legs', { legs: [GIVEN.legs[0], GIVEN.legs[0]] }],
    ['legs', { legs: [{ leg: 1, price: 1, size: 2 }] }],
    ['legs', { legs: { leg: 1 } }],
    ['either', { either: {} }],
  ])('that breaks its promise is refused, as by Zod: %s %o', (name, changes) => {
    const reply = { ...GIVEN, ...changes } as Reply;
    expect(() => encoderOf(REPLY)(reply)).toThrow(NotAsPromised);
    const { error } = z.safeEncode(REPLY, reply);
    expect(error?.issues[0]?.path[0]).toBe(name);
  });

  it('is no list, and no text', () => {
    for (const reply of [[], 'text', null, undefined])
      expect(() => encoderOf(listOpportunities.reply)(reply)).toThrow(NotAsPromised);
  });
});
