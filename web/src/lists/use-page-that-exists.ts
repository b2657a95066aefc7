import { useEffect } from 'react';

type Paging = { page: number; pageSize: number; count: number | undefined; onPage: (page: number) => void };

/** Leads from a page behind the end to the last one, as after a delete or on an old link. */
export function usePageThatExists({ page, pageSize, count, onPage }: Paging): void {
  useEffect(() => {
    if (count === undefined) return;
    const lastPage = Math.max(1, Math.ceil(count / pageSize));
    if (page > lastPage) onPage(lastPage);
  }, [page, pageSize, count, onPage]);
}
