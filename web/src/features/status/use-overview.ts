import { readOverview } from '@dutchbook/contract/status.ts';
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { call } from '../../app/call.ts';
import { useChanges, useTopic } from '../../app/live/live.ts';

/** The figures are counted over everything, so they are read again this often at most however much changes. */
const READ_AGAIN_MS = 2_000;
/** In case a change was not heard of. */
const READ_ANYWAY_MS = 15_000;

const KEY = ['overview'];

const COUNTED: ReadonlySet<ChangeType> = new Set(['opportunity', 'opportunity_deleted', 'batch']);

/** The operator's day begins at midnight where the operator is. */
function startOfToday() {
  return instantFromMs(new Date().setHours(0, 0, 0, 0));
}

/** What the dashboard shows, live. */
export function useOverview() {
  useTopic('opportunities');
  useTopic('batches');
  const client = useQueryClient();
  const waiting = useRef(false);
  const readSoon = useCallback(
    (changes: readonly Change[]) => {
      if (waiting.current || !changes.some(({ type }) => COUNTED.has(type))) return;
      waiting.current = true;
      setTimeout(() => {
        waiting.current = false;
        void client.invalidateQueries({ queryKey: KEY });
      }, READ_AGAIN_MS);
    },
    [client],
  );
  useChanges(readSoon);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(readOverview, { query: { today: startOfToday() }, signal }),
    refetchInterval: READ_ANYWAY_MS,
  });
}
