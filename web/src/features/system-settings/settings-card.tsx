import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { UseFormReturnType } from '@mantine/form';
import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { changedFields } from '../../forms/rebase.ts';
import { LastChange, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { amountOf } from './number-from.ts';
import { PartForm, usePart } from './save-all.tsx';

type Changed = { changed_at: Instant | null; changed_by: string | null };

type SettingsCardProps<Saved, Draft, Changes, Key extends QueryKey> = {
  title: string;
  aside?: ReactNode;
  /** What is set, in a sentence: "exit settings". */
  what: string;
  query: UseQueryOptions<Saved, Error, Saved, Key> & { queryKey: Key };
  /** Kept free while they are on their way. */
  height: number;
  draftOf: (saved: Saved) => Draft;
  /** What a change of a field is called beside Save. */
  labels: Readonly<Record<keyof Draft & string, string>>;
  /** The problem of each field that has one. */
  problems: (draft: Draft, saved: Saved) => Record<string, string>;
  /** What is sent of a draft without problems. */
  changed: (saved: Saved, draft: Draft) => Changes;
  write: (changes: Changes) => Promise<Saved>;
  /** The changes as a rehearsal takes them; without it, they cannot be rehearsed. */
  rehearsed?: (changes: Changes) => RehearsalChanges;
  children: (form: UseFormReturnType<Draft>, saved: Saved) => ReactNode;
};

/** A group of settings in a card, saved with the rest of the page. */
export function SettingsCard<
  Saved extends object,
  Draft extends Record<string, unknown>,
  Changes,
  Key extends QueryKey,
>(props: SettingsCardProps<Saved, Draft, Changes, Key>) {
  const { title, aside, what, query, height } = props;
  return (
    <Panel title={title} aside={aside} folds="kept">
      <Loaded of={useQuery(query)} text={`Error loading the ${what}`} height={height}>
        {(saved) => <CardForm {...props} saved={saved} />}
      </Loaded>
    </Panel>
  );
}

function CardForm<Saved extends object, Draft extends Record<string, unknown>, Changes, Key extends QueryKey>({
  saved,
  ...props
}: SettingsCardProps<Saved, Draft, Changes, Key> & { saved: Saved }) {
  const { title, what, query, draftOf, labels, problems, changed, write, rehearsed, children } = props;
  const client = useQueryClient();
  const { form, submit, sending, undo } = useSavedForm({
    saved,
    draftOf,
    meaningOf: amountOf,
    problems: (draft: Draft) => problems(draft, saved),
    send: (draft) => write(changed(saved, draft)),
    success: `${what.charAt(0).toUpperCase()}${what.slice(1)} updated successfully.`,
    onSaved: (now) => client.setQueryData<Saved>(query.queryKey, () => now),
  });
  const before = draftOf(saved);
  const save = usePart(title, {
    changes: changedFields(form.values, before, amountOf).map((name) => ({
      ...{ label: labels[name], from: inWords(before[name]), to: inWords(form.values[name]) },
    })),
    ...{ sending, submit, undo },
    hasProblems: () => form.validate().hasErrors,
    rehearsed: rehearsed && (() => rehearsed(changed(saved, form.values))),
  });
  const { changed_at = null, changed_by = null } = saved as Partial<Changed>;
  return (
    <PartForm save={save} className="stack">
      {children(form, saved)}
      <LastChange at={changed_at} by={changed_by} />
    </PartForm>
  );
}

/** A switch, or an amount as it is typed. */
function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value).trim() || 'nothing';
}
