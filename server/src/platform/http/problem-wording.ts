/**
 * How a wrong field is worded where the contract does not word it itself: as existing clients of the API know it, so
 * a message or a type they look for is found.
 */
import * as z from 'zod/mini';

type RawIssue = z.core.$ZodRawIssue;

/** Makes zod speak English, and about the usual mistakes in the API's own words. Messages in a schema come first. */
export function useApiWording(): void {
  z.config({ ...z.locales.en(), customError: wording });
}

const WANTED: Record<string, { words: string; type: string }> = {
  string: { words: 'a valid string', type: 'string_type' },
  number: { words: 'a valid number', type: 'float_type' },
  int: { words: 'a valid integer', type: 'int_type' },
  boolean: { words: 'a valid boolean', type: 'bool_type' },
  array: { words: 'a valid list', type: 'list_type' },
  object: { words: 'a valid dictionary or object to extract fields from', type: 'model_attributes_type' },
  record: { words: 'a valid dictionary', type: 'dict_type' },
  null: { words: 'None', type: 'none_required' },
};

function wording(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'Field required';
    const wanted = WANTED[issue.expected];
    return wanted && `Input should be ${wanted.words}`;
  }
  if (issue.code === 'invalid_value')
    return issue.input === undefined ? 'Field required' : `Input should be ${either(issue.values)}`;
  if (issue.code === 'unrecognized_keys') return 'Extra inputs are not permitted';
  if (issue.code === 'too_small') return boundWording(issue.origin, 'least', 'greater', issue);
  if (issue.code === 'too_big') return boundWording(issue.origin, 'most', 'less', issue);
  return undefined;
}

type Bound = { minimum?: number | bigint; maximum?: number | bigint; inclusive?: boolean };

function boundWording(origin: string, end: 'least' | 'most', comparison: 'greater' | 'less', bound: Bound): string {
  const limit = bound.minimum ?? bound.maximum;
  if (origin === 'string') return `String should have at ${end} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `List should have at ${end} ${limit} item${limit === 1 ? '' : 's'}`;
  return `Input should be ${comparison} than ${bound.inclusive === false ? '' : 'or equal to '}${limit}`;
}

function either(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  const last = quoted.at(-1) ?? '';
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last;
}

/** Texts that stand for something else, by the message the contract has for them. */
const PARSED: Record<string, string> = {
  'Input should be a valid integer': 'int_parsing',
  'Input should be a valid number': 'float_parsing',
};

/** The `type` of a 422 entry. */
export function problemType(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : (WANTED[issue.expected]?.type ?? 'value_error');
    case 'invalid_value':
      return issue.input === undefined ? 'missing' : issue.values.length > 1 ? 'enum' : 'literal_error';
    case 'unrecognized_keys':
      return 'extra_forbidden';
    case 'invalid_format':
      return issue.format === 'uuid' ? 'uuid_parsing' : (PARSED[issue.message] ?? 'string_pattern_mismatch');
    case 'too_small':
      return boundType(issue.origin, 'short', 'greater_than', issue.inclusive);
    case 'too_big':
      return boundType(issue.origin, 'long', 'less_than', issue.inclusive);
    default:
      return 'value_error';
  }
}

function boundType(origin: string, length: 'short' | 'long', comparison: string, inclusive?: boolean): string {
  if (origin === 'string') return `string_too_${length}`;
  if (origin === 'array') return `too_${length}`;
  return inclusive === false ? comparison : `${comparison}_equal`;
}
