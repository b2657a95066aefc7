import type { ReactNode } from 'react';
import { LoadError } from '../calls/loaded.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { usePageThatExists } from './use-page-that-exists.ts';

type PagedTableProps<Row> = {
  label: string;
  /** What failed, where it could not be read: "Error loading items". */
  failure: string;
  query: {
    data: { data: readonly Row[]; count: number } | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  columns: readonly Column<Row>[];
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  onOpen?: (row: Row) => void;
  /** What stands in place of a table without rows. */
  empty?: ReactNode;
};

/** One page of a short list, in whichever state it is: on its way, failed, without rows, or a table with its pager. */
export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { query, page, pageSize, onPage, onOpen, empty } = props;
  const { data, error, isPlaceholderData } = query;
  usePageThatExists({ page, pageSize, count: data?.count, onPage });
  const isEmpty = data?.count === 0 && empty !== undefined;
  return (
    <>
      <LoadError of={query} text={props.failure} inline />
      {isEmpty && empty}
      {!isEmpty && (data !== undefined || error === null) && (
        <DataTable
          label={props.label}
          columns={props.columns}
          rows={data?.data}
          skeletonRows={pageSize}
          busy={isPlaceholderData ? 'Reading…' : undefined}
          {...(onOpen && { onOpen })}
        />
      )}
      {data && !isEmpty && <Pager page={page} pageSize={pageSize} count={data.count} onPage={onPage} />}
    </>
  );
}
