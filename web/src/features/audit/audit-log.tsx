import { auditAction } from '@dutchbook/contract/audit.ts';
import { ACTION_WORDS } from '@dutchbook/contract/notes/audit-words.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FilterField } from '../../lists/filter-fields.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { PagedTable } from '../../lists/paged-table.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AuditActions } from './audit-actions.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { auditLogQuery, PAGE_SIZE } from './audit-query.ts';
import { type AuditFilter, adminSearchFrom, filterOf } from './audit-search.ts';

type AuditLogProps = {
  filter: AuditFilter;
  page: number;
  onFilter: (filter: AuditFilter) => void;
  onPage: (page: number) => void;
};

/** What people did, newest first. */
export function AuditLog({ filter, page, onFilter, onPage }: AuditLogProps) {
  return (
    <>
      <AuditFilters key={JSON.stringify(filter)} filter={filter} onFilter={onFilter} />
      <AuditActions filter={filter} />
      <PagedTable
        label="Audit Log"
        failure="Error loading the audit log"
        query={useQuery(auditLogQuery(filter, page))}
        columns={AUDIT_COLUMNS}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        empty={
          <EmptyState icon="filter" text="No entries found." hint="None match these filters.">
            <Button variant="default" onClick={() => onFilter({})}>
              Show All
            </Button>
          </EmptyState>
        }
      />
    </>
  );
}

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
function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  return (
    <FilterPanel
      fields={FIELDS}
      filter={filter}
      onApply={(texts) => onFilter(filterOf(adminSearchFrom(texts)))}
      onClear={() => onFilter(filterOf(adminSearchFrom({})))}
    />
  );
}
