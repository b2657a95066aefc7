import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsMoreValuesThan } from './json-size.ts';

/** Its lists, objects and whatever else stands in them; an empty one counts like one with a single value. */
function counted(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.values(value);
  return 1 + members.reduce((sum: number, member) => sum + counted(member), Number(members.length === 0));
}

it('counts the values of any JSON, whatever stands in its strings', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '[', '{', '\n', 'é'), maxLength: 6 });
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', '"', '\\', ',', '[', '{', '\n') });
  fc.assert(
    fc.property(fc.oneof(json, fc.dictionary(text, json)), fc.nat(3), (value, indent) => {
      const written = JSON.stringify(value, null, indent);
      expect(holdsMoreValuesThan(counted(value), written)).toBe(false);
      expect(holdsMoreValuesThan(counted(value) - 1, written)).toBe(true);
    }),
  );
});
