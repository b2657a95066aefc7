/** What the API's documentation says about a schema. The web's build leaves these calls out: only the schema stays. */
import * as z from 'zod/mini';

type About = {
  description?: string;
  /** How a quantity is encoded; follows the description. */
  unit?: string;
  /** What each value of an enumeration means. */
  meanings?: Record<string, string>;
};

const registry = z.globalRegistry as z.core.$ZodRegistry<About>;

/** A copy, because a schema is shared by fields of which each has a description of its own. */
function withNotes<Schema extends z.core.$ZodType>(schema: Schema, about: About): Schema {
  const copy = z.core.clone(schema);
  registry.add(copy, about);
  return copy;
}

/** What a field, or a parameter, says. */
export function described<Schema extends z.core.$ZodType>(description: string, schema: Schema): Schema {
  return withNotes(schema, { description });
}

/** What each value of an enumeration means, as an end of a sentence that begins with the value. */
export function explained<Schema extends z.core.$ZodType<string>>(
  meanings: Readonly<Record<z.core.output<Schema>, string>>,
  schema: Schema,
): Schema {
  return withNotes(schema, { meanings });
}

/** How a quantity is encoded, in a sentence that follows the description of each field which holds it. */
export function measured<Schema extends z.core.$ZodType>(unit: string, schema: Schema): Schema {
  return withNotes(schema, { unit });
}
