import type { Depth } from '@dutchbook/contract/valuation.ts';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { ErrorBar } from '../../ui/states.tsx';
import type { useDepth } from './valuation-queries.ts';

type DepthPartProps = {
  read: ReturnType<typeof useDepth>;
  /** Kept free while the books are on their way. */
  heightPx: number;
  children: (depth: Depth) => ReactNode;
};

/** What is drawn from the order books; the last ones stay when new ones cannot be had. */
export function DepthPart({ read: { data, error, refetch, isFetching }, heightPx, children }: DepthPartProps) {
  return (
    <>
      {error && (
        <ErrorBar
          text="Error loading the order books"
          detail={errorText(error)}
          onRetry={() => refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Skeleton height={heightPx} />}
    </>
  );
}
