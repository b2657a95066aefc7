/** Values that a JSON schema allows, most of them at its bounds. */
import fc from 'fast-check';
import { oddCharacter } from './hostile.ts';
import type { JsonSchema } from './operations.ts';

const TEXT_LENGTH_MAX = 300;
const LIST_LENGTH_MAX = 6;
const NUMBER_MAX = 1_000_000_000;

export function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(arbitraryOf));
  if (schema.allOf) return arbitraryOf(Object.assign({}, ...schema.allOf) as JsonSchema);
  const types = [schema.type ?? []].flat();
  const [type] = types;
  if (types.length > 1) return fc.oneof(...types.map((one) => arbitraryOf({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return listOf(schema);
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema, type);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]));
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(fc.string({ maxLength: 80 }), arbitraryOf(additionalProperties), { maxKeys: 5 });
  return fc.tuple(others, known).map(([more, fixed]) => ({ ...more, ...fixed }));
}

function listOf({ items = {}, minItems, maxItems }: JsonSchema): fc.Arbitrary<unknown> {
  const minLength = Number(minItems ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(maxItems ?? LIST_LENGTH_MAX), LIST_LENGTH_MAX));
  return fc.array(arbitraryOf(items), { minLength, maxLength });
}

function textOf({ format, pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern), { maxLength: TEXT_LENGTH_MAX });
  const shortest = Number(minLength ?? 0);
  const longest = Math.max(shortest, Math.min(Number(maxLength ?? TEXT_LENGTH_MAX), 10_000));
  const ofLength = (length: number) => fc.constant('x'.repeat(length));
  const free = fc.string({
    unit: oddCharacter,
    minLength: shortest,
    maxLength: Math.min(longest, TEXT_LENGTH_MAX + shortest),
  });
  return fc.oneof({ weight: 4, arbitrary: free }, ofLength(shortest), ofLength(longest));
}

function numberOf(schema: JsonSchema, type: 'integer' | 'number'): fc.Arbitrary<number> {
  const low = Math.ceil(Number(schema.minimum ?? schema.exclusiveMinimum ?? -NUMBER_MAX));
  const high = Math.floor(Number(schema.maximum ?? schema.exclusiveMaximum ?? NUMBER_MAX));
  const min = Math.max(low, -Number.MAX_SAFE_INTEGER);
  const max = Math.max(min, Math.min(high, Number.MAX_SAFE_INTEGER));
  const whole = fc.oneof(
    fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) }),
    fc.constantFrom(min, max),
  );
  if (type === 'integer') return whole;
  const bounds = { min: Number(schema.minimum ?? -NUMBER_MAX), max: Number(schema.maximum ?? NUMBER_MAX) };
  const share = fc.integer({ min: 0, max: 1_000_000 });
  return fc.oneof(
    whole,
    share.map((millionths) => bounds.min + ((bounds.max - bounds.min) * millionths) / 1_000_000),
  );
}
