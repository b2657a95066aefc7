/** What the document says about each field: its own words first, then how a quantity is encoded and what each value means. */
import { COMMON_FIELDS } from './common-fields.ts';

export type Schema = {
  [keyword: string]: unknown;
  description?: string;
  unit?: string;
  meanings?: Record<string, string>;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
};

type Notes = {
  description: string | undefined;
  unit: string | undefined;
  meanings: Record<string, string> | undefined;
};

/** Writes into a schema, and all within it, what describes its fields. */
export function describeFields(schema: Schema): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const { description = COMMON_FIELDS[name], unit, meanings } = notesOf(field);
    const sentences = [description, unit, meanings && listOf(meanings)].filter((one) => one !== undefined);
    takeNotes(field);
    // Of what says only its unit it is not known what it is.
    if (description !== undefined) field.description = sentences.join(' ').replace(' \n', '\n');
  }
  for (const part of partsOf(schema)) describeFields(part);
}

function partsOf(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties } = schema;
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(properties), ...(items ? [items] : []), ...more, ...alternativesOf(schema)];
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] {
  return [...anyOf, ...oneOf, ...allOf];
}

/** Its own, else those of what it is a nullable, a list or a record of. */
function notesOf(schema: Schema): Notes {
  const { description, unit, meanings, items, additionalProperties } = schema;
  const others = alternativesOf(schema).filter(({ type }) => type !== 'null');
  const [within] = others.length === 1 ? others : [items ?? additionalProperties];
  const inner: Partial<Notes> = typeof within === 'object' ? notesOf(within) : {};
  return {
    description: description ?? inner.description,
    unit: unit ?? inner.unit,
    meanings: meanings ?? inner.meanings,
  };
}

/** Keeps of the notes of a field, which its description has, what stands beside each value of an enumeration. */
function takeNotes(schema: Schema): void {
  const { meanings, enum: values } = schema;
  for (const note of ['description', 'unit', 'meanings'] as const) delete schema[note];
  if (meanings && values) schema['x-enum-descriptions'] = values.map((value) => meanings[String(value)]);
  const { items, additionalProperties } = schema;
  if (items) takeNotes(items);
  if (typeof additionalProperties === 'object') takeNotes(additionalProperties);
  for (const alternative of alternativesOf(schema)) takeNotes(alternative);
}

function listOf(meanings: Record<string, string>): string {
  return `\n\n${Object.entries(meanings)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join('\n')}`;
}
