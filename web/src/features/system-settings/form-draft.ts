import { microToNumber } from '@dutchbook/units/micro.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf } from './number-from.ts';

type Setting = boolean | number | null;

/** Settings as they are being changed: amounts as texts. */
export type DraftOf<Form> = { [Name in keyof Form]: Form[Name] extends boolean ? boolean : string };

type Part<Form> = { [Name in keyof Form]: z.ZodMiniType<Form[Name]> };

/** How settings are changed in a form: switches, and amounts in dollars or prices, of which only those `required` may not be empty. */
export function formDraft<Form extends Record<string, Setting>>(
  schema: z.ZodMiniType<Form> & { shape: Part<Form> },
  required: readonly (keyof Form)[] = [],
) {
  const names = Object.keys(schema.shape) as (keyof Form & string)[];
  const rules = rulesOf<unknown>(schema);
  const mapped = (read: (name: keyof Form & string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, read(name)]));
  const draftOf = (saved: Form) => mapped((name) => textOf(saved[name])) as DraftOf<Form>;
  const typed = (draft: DraftOf<Form>) =>
    mapped((name) => amountOf(draft[name]) ?? (required.includes(name) ? Number.NaN : null));
  return {
    draftOf,
    problems: (draft: DraftOf<Form>) => rules(typed(draft)),
    /** The changed settings alone, from a draft without problems: what another user has set meanwhile is not undone. */
    changed: (saved: Form, draft: DraftOf<Form>): Partial<Form> => {
      const settings = z.decode(schema, typed(draft) as z.input<typeof schema>);
      const changed = changedFields(draft, draftOf(saved), amountOf);
      return Object.fromEntries(changed.map((name) => [name, settings[name]])) as Partial<Form>;
    },
  };
}

function textOf(setting: Setting | undefined): boolean | string {
  if (typeof setting === 'boolean') return setting;
  return typeof setting === 'number' ? String(microToNumber(setting)) : '';
}
