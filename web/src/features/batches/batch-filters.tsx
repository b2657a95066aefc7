import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { flagFrom, idFrom } from '../../app/list-search.ts';
import { Icon } from '../../ui/icons.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import styles from './batch-filters.module.css';
import { activeFilters, type BatchFilter, type BatchSearch, STATUSES } from './batch-search.ts';

type BatchFiltersProps = { search: BatchSearch; onFilter: (filter: BatchFilter) => void };

/** The filters as they are being chosen: texts of the four fields. */
type Draft = { status: string; isActive: string; canRetry: string; opportunityId: string };

const EMPTY: Draft = { status: '', isActive: '', canRetry: '', opportunityId: '' };
const STATUS_CHOICES = [
  { value: '', label: 'All statuses' },
  ...STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
];
const ACTIVE_CHOICES = choices('Active and not', 'Active only', 'Not active only');
const RETRY_CHOICES = choices('Any', 'Can be retried', 'Cannot be retried');

export function BatchFilters({ search, onFilter }: BatchFiltersProps) {
  const [draft, setDraft] = useState(draftOf(search));
  const [refused, setRefused] = useState<string>();
  const change = (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part }));
  const apply = (chosen: Draft) => {
    const refusal = idRefusal(chosen.opportunityId);
    setRefused(refusal);
    if (refusal === undefined) onFilter(filterFrom(chosen));
  };
  const count = activeFilters(search);
  return (
    <section className={styles.panel} aria-label="Filters">
      <h2 className={styles.title}>
        <Icon name="filter" size={16} /> Filters
        {count > 0 && <span className={styles.count}>{count} active</span>}
      </h2>
      <form
        className={styles.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          apply(draft);
        }}
      >
        <Choice label="Status" data={STATUS_CHOICES} value={draft.status} onChange={(status) => change({ status })} />
        <Choice
          label="Active Status"
          data={ACTIVE_CHOICES}
          value={draft.isActive}
          onChange={(isActive) => change({ isActive })}
        />
        <Choice
          label="Retry Status"
          data={RETRY_CHOICES}
          value={draft.canRetry}
          onChange={(canRetry) => change({ canRetry })}
        />
        <TextInput
          label="Opportunity ID"
          placeholder="Any"
          size="xs"
          className={styles.id}
          value={draft.opportunityId}
          error={refused}
          onChange={({ currentTarget }) => change({ opportunityId: currentTarget.value })}
          onBlur={() => setRefused(idRefusal(draft.opportunityId))}
        />
        <div className={styles.buttons}>
          <Button type="submit" size="xs">
            Apply
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setDraft(draftOf(search));
              setRefused(undefined);
            }}
          >
            Reset
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setDraft(EMPTY);
              apply(EMPTY);
            }}
          >
            Clear
          </Button>
        </div>
      </form>
    </section>
  );
}

type ChoiceProps = {
  label: string;
  data: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
};

function Choice({ label, data, value, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      data={[...data]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function choices(any: string, yes: string, no: string) {
  return [
    { value: '', label: any },
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
}

function draftOf({
  status = '',
  isActive = '',
  canRetry = '',
  opportunityId = '',
}: { [Key in keyof Draft]?: unknown }) {
  return {
    status: String(status),
    isActive: String(isActive),
    canRetry: String(canRetry),
    opportunityId: String(opportunityId),
  };
}

function filterFrom({ status, isActive, canRetry, opportunityId }: Draft): BatchFilter {
  return {
    status: STATUSES.find((known): known is BatchStatus => known === status),
    isActive: flagFrom(isActive),
    canRetry: flagFrom(canRetry),
    opportunityId: opportunityId.trim() || undefined,
  };
}

function idRefusal(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return idFrom(text.trim()) === undefined ? 'Enter the whole ID' : undefined;
}
