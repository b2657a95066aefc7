/** Calls of an operation that go wrong, or only just right, in ways that its description in the OpenAPI document suggests. */
import fc from 'fast-check';
import { arbitraryOf } from './arbitrary-of.ts';
import { extraFields, hostileBodyText, hostileText, hostileValue } from './hostile.ts';
import type { Given, JsonSchema, Operation, Parameter } from './operations.ts';

type BodyChange =
  | { how: 'example' | 'none' }
  | { how: 'value'; value: unknown }
  | { how: 'text'; text: string }
  | { how: 'field' | 'without'; name: string; value?: unknown }
  | { how: 'extra'; fields: [string, unknown][] };

/** What is done to a call that is right. Printed when it breaks something, so it is data. */
export type Fuzzed = {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  body: BodyChange;
  file: string | null;
  headers: Record<string, string>;
};

export function fuzzedCalls(operation: Operation): fc.Arbitrary<Fuzzed> {
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  return fc.record({
    params: someOf(inPath, 9, paramOf),
    query: fc
      .tuple(someOf(inQuery, 2, queryValueOf), fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, extraQuery))
      .map(([known, extra]) => ({ ...known, ...extra })),
    body: operation.body ? changesOf(operation.body.schema) : bodyFor(operation),
    file: operation.takesFile ? csvFile : fc.constant(null),
    headers: takesNothing(operation)
      ? fc.oneof(fc.constant({}), oddHeaders, { weight: 8, arbitrary: oddAuthorization })
      : fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, oddHeaders, oddAuthorization),
  });
}

const NO_BODY: fc.Arbitrary<BodyChange> = fc.constant({ how: 'none' });
const bodyText: fc.Arbitrary<BodyChange> = hostileBodyText.map((text) => ({ how: 'text', text }));
const anyBody: fc.Arbitrary<BodyChange> = fc.oneof(
  bodyText,
  hostileValue.map((value): BodyChange => ({ how: 'value', value })),
);

/** Nothing but its headers, and an unexpected body, can be odd about a call of it. */
function takesNothing({ parameters, body, takesFile }: Operation): boolean {
  return parameters.length === 0 && body === null && !takesFile;
}

function bodyFor(operation: Operation): fc.Arbitrary<BodyChange> {
  const rarely = takesNothing(operation) && operation.method !== 'GET' ? 1 : 9;
  return fc.oneof({ weight: rarely, arbitrary: NO_BODY }, bodyText, anyBody);
}

/** Each `often` times as often as not. */
function someOf<Value>(
  parameters: readonly Parameter[],
  often: number,
  made: (parameter: Parameter) => fc.Arbitrary<Value>,
): fc.Arbitrary<Record<string, Value>> {
  const entries = parameters.map((parameter): [string, fc.Arbitrary<Value | undefined>] => [
    parameter.name,
    fc.oneof(fc.constant(undefined), { weight: often, arbitrary: made(parameter) }),
  ]);
  const all: fc.Arbitrary<Record<string, Value | undefined>> = fc.record(Object.fromEntries(entries));
  return all.map((given) =>
    Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  );
}

/** An address without its last part is another address. */
function paramOf({ schema }: Parameter): fc.Arbitrary<string> {
  const text = fc.oneof(arbitraryOf(schema).map(String), { weight: 6, arbitrary: hostileText });
  return text.map((value) => value.toWellFormed()).filter((value) => value !== '' && value !== '.' && value !== '..');
}

function queryValueOf({ schema }: Parameter): fc.Arbitrary<string | string[]> {
  const text = fc.oneof({ weight: 2, arbitrary: arbitraryOf(schema).map(String) }, hostileText);
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: fc.array(text, { minLength: 2, maxLength: 3 }) },
  );
}

const extraQuery: fc.Arbitrary<Record<string, string>> = fc
  .tuple(hostileText, hostileText)
  .map(([name, value]) => Object.fromEntries([[name, value]]));

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constantFrom('', 'x', 'k'.repeat(255), 'k'.repeat(256), '../..', '%00').map((key) => ({ 'idempotency-key': key })),
  fc
    .constantFrom(
      ...['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'a', ''],
      ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/json, text/html'],
    )
    .map((type) => ({ 'content-type': type })),
  fc.constantFrom('*/*;q=2', 'application/xml', 'x'.repeat(3000)).map((accept) => ({ accept })),
  fc.constantFrom('gzip', 'br, x', 'deflate').map((encoding) => ({ 'content-encoding': encoding })),
);

const oddAuthorization: fc.Arbitrary<Record<string, string>> = fc
  .constantFrom(
    ...['', 'Bearer', 'Bearer ', 'bearer x', 'Basic YWRtaW46YWRtaW4=', 'Bearer null', 'Bearer a.b.c', 'Bearer  a b'],
    ...['Bearer eyJhbGciOiJub25lIn0.e30.', `Bearer ${'x'.repeat(8000)}`, 'Digest username="admin"', 'Bearer %00'],
  )
  .map((authorization) => ({ authorization }));

function changesOf(schema: JsonSchema): fc.Arbitrary<BodyChange> {
  const names = Object.keys(propertiesOf(schema));
  const name = names.length > 0 ? fc.constantFrom(...names) : fc.constant('field');
  const extra = extraFields.map((fields): BodyChange => ({ how: 'extra', fields }));
  const field = fc.tuple(name, hostileValue).map(([of, value]): BodyChange => ({ how: 'field', name: of, value }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<BodyChange>({ how: 'example' }) },
    { weight: 2, arbitrary: arbitraryOf(schema).map((value): BodyChange => ({ how: 'value', value })) },
    { weight: 9, arbitrary: field },
    { weight: 1, arbitrary: name.map((of): BodyChange => ({ how: 'without', name: of })) },
    { weight: 2, arbitrary: extra },
    { weight: 3, arbitrary: anyBody },
    { weight: 1, arbitrary: NO_BODY },
  );
}

function propertiesOf({ properties, anyOf = [] }: JsonSchema): Record<string, JsonSchema> {
  return properties ?? Object.assign({}, ...anyOf.map(propertiesOf));
}

const CSV_HEADER = 'market_combinations,target_price,active,source,source_details';
const csvCell = fc.oneof(
  hostileText,
  hostileValue.map((value) => JSON.stringify(value)),
);
const csvFile: fc.Arbitrary<string | null> = fc.oneof(
  fc.constant(null),
  hostileText,
  fc.array(fc.array(csvCell, { maxLength: 6 }), { maxLength: 4 }).map((rows) => csvText(CSV_HEADER, rows)),
  fc
    .tuple(hostileText, fc.array(fc.array(csvCell, { maxLength: 6 }), { maxLength: 2 }))
    .map(([head, rows]) => csvText(head, rows)),
);

function csvText(header: string, rows: readonly string[][]): string {
  const quoted = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  return [header, ...quoted].join('\r\n');
}

/** The call that `fuzzed` makes of one that is right. */
export function applied(fuzzed: Fuzzed, example: Given): Given {
  const { file } = fuzzed;
  return {
    params: { ...example.params, ...fuzzed.params },
    query: { ...example.query, ...fuzzed.query },
    ...bodyOf(fuzzed.body, example),
    ...(file !== null ? { file } : fuzzed.body.how === 'none' && example.file !== undefined && { file: example.file }),
    headers: fuzzed.headers,
  };
}

function bodyOf(change: BodyChange, { body }: Given): Pick<Given, 'body' | 'text'> {
  const right = typeof body === 'object' && body !== null ? body : {};
  switch (change.how) {
    case 'none':
      return {};
    case 'example':
      return { body };
    case 'value':
      return { body: change.value };
    case 'text':
      return { text: change.text };
    case 'field':
      return { body: { ...right, [change.name]: change.value } };
    case 'without':
      return { body: Object.fromEntries(Object.entries(right).filter(([name]) => name !== change.name)) };
    case 'extra':
      // Not by a spread, in which `__proto__` would not be a field.
      return { body: Object.fromEntries([...Object.entries(right), ...change.fields]) };
  }
}
