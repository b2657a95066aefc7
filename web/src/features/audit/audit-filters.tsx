import { auditAction } from '@dutchbook/contract/audit.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import styles from './audit-filters.module.css';
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
  const apply = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(filterFrom(draft));
  };
  const clear = () => {
    setDraft(draftOf({}));
    onFilter(filterFrom(draftOf({})));
  };
  return (
    <section className={styles.panel} aria-label="Filters">
      <form className={styles.fields} noValidate onSubmit={apply}>
        <NativeSelect label="What" data={ACTIONS} {...input('action')} />
        <TextInput label="Who" placeholder="Part of the email" {...input('actor')} />
        <TextInput label="On what" placeholder="ID or email" {...input('object')} />
        <TextInput label="From day" type="date" {...input('from')} />
        <TextInput label="Until day" type="date" {...input('until')} />
        <div className={styles.buttons}>
          <Button type="submit" size="xs">
            Apply
          </Button>
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        </div>
      </form>
    </section>
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
