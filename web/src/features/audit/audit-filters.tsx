import { auditAction } from '@dutchbook/contract/audit.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FilterPanel } from '../../ui/filter-panel.tsx';
import { type AuditFilter, dayFrom } from './audit-search.ts';
import { ACTION_WORDS } from './audit-words.ts';

const ACTIONS = [
  { value: '', label: 'Everything' },
  ...auditAction.options.map((action) => ({ value: action, label: ACTION_WORDS[action] })),
];

type Draft = { [Name in keyof AuditFilter]-?: string };

type AuditFiltersProps = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void };

/** Chooses what of the log is shown and exported; nothing changes until Apply. */
export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  const [draft, setDraft] = useState(() => draftOf(filter));
  const input = (name: keyof Draft) => ({
    size: 'xs',
    value: draft[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft((known) => ({ ...known, [name]: value })),
  });
  const clear = () => {
    setDraft(draftOf({}));
    onFilter(filterFrom(draftOf({})));
  };
  return (
    <FilterPanel onApply={() => onFilter(filterFrom(draft))} onClear={clear}>
      <NativeSelect label="What" data={ACTIONS} {...input('action')} />
      <TextInput label="Who" placeholder="Part of the email" {...input('actor')} />
      <TextInput label="On what" placeholder="ID or email" {...input('object')} />
      <TextInput label="From day" type="date" {...input('from')} />
      <TextInput label="Until day" type="date" {...input('until')} />
    </FilterPanel>
  );
}

function draftOf({ action = '', actor = '', object = '', from = '', until = '' }: AuditFilter): Draft {
  return { action, actor, object, from, until };
}

function filterFrom({ action, actor, object, from, until }: Draft): AuditFilter {
  return {
    action: action || undefined,
    actor: actor.trim() || undefined,
    object: object.trim() || undefined,
    from: dayFrom(from),
    until: dayFrom(until),
  };
}
