/** Replies as they travel. To encode one by its schema step by step takes longer than to read it from the database. */
import { instant } from '@dutchbook/contract/quantities.ts';
import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import type * as z from 'zod/mini';

type Schema = z.core.$ZodTypes;
type Check = z.core.$ZodCheck;
/** @throws NotAsPromised */
type Encode = (value: unknown) => unknown;

/** The value is not what its schema says: which part of it is wrong, and why, Zod itself finds out. */
export class NotAsPromised extends Error {
  override readonly name = 'NotAsPromised';
}

/** Nobody reads where it was thrown, which takes longer to note than to look for the part of a union that fits. */
const NOT_AS_PROMISED = new NotAsPromised();

/** Years of four digits: what a moment is written as need not be read again to know that it is one. */
const [YEAR_1, YEAR_10000] = [instantFromIso('0001-01-01'), Date.UTC(10_000, 0)];

const compiled = new WeakMap<z.core.$ZodType, Encode>([[instant, written]]);

/**
 * Encodes and judges what Zod's own `encode` does, with the same answer: how is decided once for the schema, what holds no
 * quantity stays as it is, and what is not promised is left out.
 */
export function encoderOf(schema: z.core.$ZodType): Encode {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema as Schema);
  compiled.set(schema, made);
  return made;
}

function written(value: unknown): string {
  const isMoment = Number.isSafeInteger(value) && (value as Instant) >= YEAR_1 && (value as Instant) < YEAR_10000;
  if (!isMoment) throw NOT_AS_PROMISED;
  return instantToIso(value as Instant);
}

function compile(schema: Schema): Encode {
  const { def } = schema._zod;
  switch (def.type) {
    case 'nullable':
      return unless(null, encoderOf(def.innerType));
    case 'optional':
      return unless(undefined, encoderOf(def.innerType));
    case 'array':
      return checkedBy(def.checks, listOf(encoderOf(def.element)));
    case 'object':
      return isStripped(def) || isStrict(def) ? checkedBy(def.checks, objectOf(def)) : byZod(schema);
    case 'pipe':
      return 'reverseTransform' in def ? codec(def as z.core.$ZodCodecDef) : byZod(schema);
    case 'union':
      return def.inclusive === false ? byZod(schema) : firstOf(def.options.map(encoderOf));
    case 'unknown':
      return (value) => value;
    default:
      return judge(schema) ?? byZod(schema);
  }
}

/** What is judged without looking into it; null for another kind. */
function judge(schema: Schema): Encode | null {
  const { def, traits, values } = schema._zod;
  if (def.type === 'custom' && !def.checks?.length) return where((value) => Boolean(def.fn(value as never)));
  // A format is a check of itself.
  const checks = [...(traits.has('$ZodCheck') ? [schema as unknown as Check] : []), ...(def.checks ?? [])];
  if (def.type === 'string')
    return checkedBy(
      checks,
      where((value) => typeof value === 'string'),
    );
  if (def.type === 'number') return checkedBy(checks, where(Number.isFinite));
  if (checks.length > 0) return null;
  if (def.type === 'boolean') return where((value) => typeof value === 'boolean');
  if (def.type !== 'enum' && def.type !== 'literal') return null;
  return where((value) => values?.has(value as z.core.util.Literal) ?? false);
}

function where(isPromised: (value: unknown) => boolean): Encode {
  return (value) => {
    if (!isPromised(value)) throw NOT_AS_PROMISED;
    return value;
  };
}

function unless(absent: null | undefined, encode: Encode): Encode {
  return (value) => (value === absent ? absent : encode(value));
}

function listOf(encode: Encode): Encode {
  return (value) => {
    if (!Array.isArray(value)) throw NOT_AS_PROMISED;
    return value.map((each) => encode(each));
  };
}

function objectOf(def: z.core.$ZodObjectDef): Encode {
  const fields = Object.entries(def.shape).map(([name, field]) => ({ name, encode: encoderOf(field) }));
  const known = isStrict(def) ? new Set(Object.keys(def.shape)) : null;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw NOT_AS_PROMISED;
    if (known !== null && Object.keys(value).some((name) => !known.has(name))) throw NOT_AS_PROMISED;
    const wire: Record<string, unknown> = {};
    for (const { name, encode } of fields) wire[name] = encode((value as Record<string, unknown>)[name]);
    return wire;
  };
}

function firstOf(encoders: readonly Encode[]): Encode {
  return (value) => {
    for (const encode of encoders) {
      try {
        return encode(value);
      } catch (error) {
        if (!(error instanceof NotAsPromised)) throw error;
      }
    }
    throw NOT_AS_PROMISED;
  };
}

function codec(def: z.core.$ZodCodecDef): Encode {
  const [encode, encodeWire] = [encoderOf(def.out), encoderOf(def.in)];
  return (value) => {
    const payload: z.core.ParsePayload = { value: encode(value), issues: [] };
    const wire = def.reverseTransform(payload.value as never, payload);
    if (payload.issues.length > 0) throw NOT_AS_PROMISED;
    return encodeWire(wire);
  };
}

/** Checks are about the value as the program holds it, so they come first. */
function checkedBy(checks: readonly Check[] | undefined, encode: Encode): Encode {
  if (checks === undefined || checks.length === 0) return encode;
  const tests = checks.map(testOf);
  if (tests.every((test) => test !== null)) {
    return (value) => {
      const wire = encode(value);
      for (const test of tests) if (!test(value)) throw NOT_AS_PROMISED;
      return wire;
    };
  }
  return (value) => {
    const wire = encode(value);
    const payload: z.core.ParsePayload = { value, issues: [] };
    for (const { _zod } of checks) if (_zod.def.when?.(payload) ?? true) _zod.check(payload as never);
    if (payload.issues.length > 0) throw NOT_AS_PROMISED;
    return payload.value === value ? wire : encode(payload.value);
  };
}

/** Those that lists are full of, without what Zod needs to name what is wrong; null for another check. */
function testOf(check: Check): ((value: unknown) => boolean) | null {
  const def = check._zod.def as z.core.$ZodChecks['_zod']['def'];
  if (def.when !== undefined) return null;
  switch (def.check) {
    case 'greater_than':
      return numberTest(def.value, def.inclusive ? (value, least) => value >= least : (value, least) => value > least);
    case 'less_than':
      return numberTest(def.value, def.inclusive ? (value, most) => value <= most : (value, most) => value < most);
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : null;
    default:
      return null;
  }
}

function numberTest(
  limit: z.core.util.Numeric,
  holds: (value: number, limit: number) => boolean,
): ((value: unknown) => boolean) | null {
  return typeof limit === 'number' ? (value) => holds(value as number, limit) : null;
}

function byZod(schema: Schema): Encode {
  return (value) => {
    const { issues, value: wire } = schema._zod.run(
      { value, issues: [] },
      { direction: 'backward', async: false },
    ) as z.core.ParsePayload;
    if (issues.length > 0) throw NOT_AS_PROMISED;
    return wire;
  };
}

const isStripped = ({ catchall }: z.core.$ZodObjectDef) => catchall === undefined;
const isStrict = ({ catchall }: z.core.$ZodObjectDef) => (catchall as Schema | undefined)?._zod.def.type === 'never';
