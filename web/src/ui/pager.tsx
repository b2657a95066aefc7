import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './pager.module.css';

type PagerProps = {
  page: number;
  pageSize: number;
  count: number;
  onPage: (page: number) => void;
  /** Beside how many there are. */
  children?: ReactNode;
};

/** Which rows of how many are shown, and the way to the others. With one page only the count. */
export function Pager({ page, pageSize, count, onPage, children }: PagerProps) {
  const pages = Math.max(1, Math.ceil(count / pageSize));
  const first = (page - 1) * pageSize + 1;
  return (
    <div className={styles.pager}>
      <div className={styles.shown}>
        <p>{count === 0 ? 'No rows' : `${first}–${Math.min(count, page * pageSize)} of ${formatCount(count)}`}</p>
        {children}
      </div>
      {pages > 1 && (
        <nav aria-label="Pages" className={styles.pages}>
          <Button size="compact-sm" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          {pagesAround(page, pages).map((target, index) =>
            target === undefined ? (
              <span key={index < 3 ? 'gap-before' : 'gap-after'} aria-hidden="true">
                …
              </span>
            ) : (
              <Button
                key={target}
                size="compact-sm"
                variant={target === page ? 'filled' : 'default'}
                aria-current={target === page ? 'page' : undefined}
                onClick={() => onPage(target)}
              >
                {target}
              </Button>
            ),
          )}
          <Button size="compact-sm" variant="default" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}

/** First, last and the neighbours of `page`; `undefined` stands for those left out. */
export function pagesAround(page: number, pages: number): (number | undefined)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((target) => target >= 1 && target <= pages);
  const ascending = [...new Set(wanted)].sort((a, b) => a - b);
  return ascending.flatMap((target, index) => {
    const before = ascending[index - 1];
    return before !== undefined && target - before > 1 ? [undefined, target] : [target];
  });
}
