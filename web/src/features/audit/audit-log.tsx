import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorBar } from '../../ui/states.tsx';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { AuditActions } from './audit-actions.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditLogQuery, PAGE_SIZE } from './audit-query.ts';
import type { AuditFilter } from './audit-search.ts';

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
      <AuditPage filter={filter} page={page} onFilter={onFilter} onPage={onPage} />
    </>
  );
}

function AuditPage({ filter, page, onFilter, onPage }: AuditLogProps) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(auditLogQuery(filter, page));
  usePageThatExists({ page, pageSize: PAGE_SIZE, count: data?.count, onPage });
  const rows = useMemo(() => data?.data.map((entry) => ({ ...entry, id: String(entry.seq) })), [data]);
  return (
    <>
      {error && (
        <ErrorBar text={`Error loading the audit log: ${errorText(error)}`} onRetry={refetch} retrying={isFetching} />
      )}
      {data?.count === 0 ? (
        <EmptyState icon="filter" text="No entries found." hint="None match these filters.">
          <Button variant="default" onClick={() => onFilter({})}>
            Show All
          </Button>
        </EmptyState>
      ) : (
        (data !== undefined || error === null) && (
          <DataTable
            label="Audit Log"
            columns={AUDIT_COLUMNS}
            rows={rows}
            skeletonRows={PAGE_SIZE}
            busy={isPlaceholderData}
          />
        )
      )}
      {data !== undefined && data.count > 0 && (
        <Pager page={page} pageSize={PAGE_SIZE} count={data.count} onPage={onPage} />
      )}
    </>
  );
}
