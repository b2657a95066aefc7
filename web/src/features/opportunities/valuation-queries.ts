import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { readDepth, readHistory, readPricesBefore } from '@dutchbook/contract/valuation.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { waitAskedMs } from '../../calls/api-error.ts';
import { callQuery, pageQuery } from '../../calls/call-query.ts';
import { opportunityKey } from './opportunity-queries.ts';

/** Books that move are read again at most this often. */
const DEPTH_INTERVAL_MS = 1_000;

/**
 * The books of the positions, the profit by size and the sizes that an order has by them. Read again when the opportunity is priced anew,
 * `version`, and not as often as it is read: but only while it is on screen.
 */
export function useDepth(id: string, version: string, visible: boolean) {
  const read = useQuery(
    callQuery([...opportunityKey(id), 'depth'], readDepth, { params: { opportunity_id: id } }, { enabled: visible }),
  );
  useRefreshOnChange({
    version,
    enabled: visible && !read.isFetching,
    intervalMs: Math.max(DEPTH_INTERVAL_MS, waitAskedMs(read.error)),
    refresh: read.refetch,
  });
  return read;
}

/** The prices of the last `spanMs`; those of another span stay until these have come. */
export function useHistory(id: string, spanMs: number) {
  return useQuery(
    pageQuery([...opportunityKey(id), 'history', spanMs], readHistory, {
      params: { opportunity_id: id },
      query: { since: instantFromMs(Date.now() - spanMs) },
    }),
  );
}

/** The prices by the recorded books of the hour before it was stored; asked for only where the last `spanMs` reach there. */
export function usePricesBefore({ id, created_at, target_price }: Opportunity, spanMs: number) {
  return useQuery(
    callQuery(
      [...opportunityKey(id), 'before', target_price],
      readPricesBefore,
      { params: { opportunity_id: id } },
      { enabled: created_at > Date.now() - spanMs, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
}

type Refreshing = {
  /** What is read is of the version that stood when this was first rendered. */
  version: string;
  /** Off while the page is hidden, or while a reading is under way. */
  enabled: boolean;
  intervalMs: number;
  refresh: () => unknown;
};

/** Calls `refresh` when `version` has changed, at most once every `intervalMs`; the last change is never left out. */
function useRefreshOnChange({ version, enabled, intervalMs, refresh }: Refreshing): void {
  const readVersion = useRef(version);
  const lastMs = useRef(0);
  useEffect(() => {
    if (!enabled || version === readVersion.current) return;
    const delayMs = Math.max(0, lastMs.current + intervalMs - Date.now());
    const timer = setTimeout(() => {
      readVersion.current = version;
      lastMs.current = Date.now();
      refresh();
    }, delayMs);
    return () => clearTimeout(timer);
  }, [version, enabled, intervalMs, refresh]);
}
