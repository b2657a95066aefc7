import { auditAction } from '@dutchbook/contract/audit.ts';
import type { FilterField } from '../../lists/filter-fields.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { type AuditFilter, adminSearchFrom, filterOf } from './audit-search.ts';
import { ACTION_WORDS } from './audit-words.ts';

const ACTIONS = auditAction.options.map((action) => ({ value: action, label: ACTION_WORDS[action] }));

const FIELDS: readonly FilterField<keyof AuditFilter>[] = [
  { name: 'action', label: 'What', choices: [{ value: '', label: 'Everything' }, ...ACTIONS] },
  { name: 'actor', label: 'Who', placeholder: 'Part of the email' },
  { name: 'object', label: 'On what', placeholder: 'ID or email' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'until', label: 'Until day', type: 'date' },
];

type AuditFiltersProps = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void };

/** Chooses what of the log is shown and exported. */
export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  return (
    <FilterPanel
      fields={FIELDS}
      filter={filter}
      onApply={(texts) => onFilter(filterOf(adminSearchFrom(texts)))}
      onClear={() => onFilter(filterOf(adminSearchFrom({})))}
    />
  );
}
