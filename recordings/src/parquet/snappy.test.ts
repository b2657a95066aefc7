import fc from 'fast-check';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { describe, expect, it } from 'vitest';
import { UnreadableRecording } from '../bytes.ts';
import { expandSnappy } from './snappy.ts';

describe('bytes compressed by snappy', () => {
  it('are given back whatever they are', () => {
    const repetitive = fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3000 });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 3000 }), repetitive), (list) => {
        const bytes = Uint8Array.from(list);
        expect(expandSnappy(snappyCompress(bytes), bytes.length)).toEqual(bytes);
      }),
    );
  });

  it('are given back or refused in words wherever they were changed, and never run on', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, place) => place % 7);
    const whole = snappyCompress(bytes);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(255), (place, one, other) => {
        const changed = Uint8Array.from(whole);
        changed[place] = one;
        changed[(place + 1) % whole.length] = other;
        try {
          expect(expandSnappy(changed, bytes.length)).toHaveLength(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableRecording);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
