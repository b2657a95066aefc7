import * as z from 'zod/mini';

/** The first message for each field that a schema of the contract refuses, as Mantine's forms want them. */
export function rulesOf<Values>(schema: z.ZodMiniType<unknown, Values>): (values: Values) => Record<string, string> {
  return (values) => {
    const errors: Record<string, string> = {};
    for (const { path, message } of z.safeDecode(schema, values).error?.issues ?? [])
      errors[path.join('.')] ??= message;
    return errors;
  };
}

/** `problems`, and at the second of two password fields what `unconfirmed` says, if anything. */
export function withConfirmation(problems: Record<string, string>, unconfirmed: string | null): Record<string, string> {
  return unconfirmed === null ? problems : { ...problems, confirm_password: unconfirmed };
}
