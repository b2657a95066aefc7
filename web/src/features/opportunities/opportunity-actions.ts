import { checkAllOpportunities, updatePrices } from '@dutchbook/contract/jobs.ts';
import { checkOpportunity, deleteOpportunity, restoreOpportunity } from '@dutchbook/contract/opportunities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { toastDeletedRow } from '../../lists/deleted-rows.ts';
import { opportunityKey, opportunityListKey } from './opportunity-queries.ts';

/** What a check changes shows a moment later. */
const REFRESH_DELAY_MS = 2_000;

/** Checks one opportunity against fresh books; the screens read it again after two seconds. */
export function useCheckPrices(failure: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(checkOpportunity, { params: { opportunity_id: id } }),
    onSuccess: (_reply, id) => {
      setTimeout(() => {
        void client.invalidateQueries({ queryKey: opportunityKey(id) });
        void client.invalidateQueries({ queryKey: opportunityListKey });
      }, REFRESH_DELAY_MS);
    },
    meta: { success: 'Price check initiated successfully', failure },
  });
}

/** Asks in the browser's own dialog, then deletes. `onDeleted` leads away from its page. */
export function useDeleteOpportunity(onDeleted: () => void | Promise<void> = () => {}) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: (id: string) => call(deleteOpportunity, { params: { opportunity_id: id } }),
    onSuccess: async (_reply, id) => {
      await onDeleted();
      // A page of it that is still up would read again what is taken from under it.
      client.removeQueries({ queryKey: opportunityKey(id), type: 'inactive' });
      const refresh = () => client.invalidateQueries({ queryKey: opportunityListKey });
      const restore = () => call(restoreOpportunity, { params: { opportunity_id: id } });
      toastDeletedRow(id, 'Arbitrage opportunity deleted successfully', restore, refresh);
      await refresh();
    },
    meta: { failure: 'Failed to delete arbitrage opportunity' },
  });
  return (id: string, name: string) => {
    if (window.confirm(`Delete opportunity ${name}? Its batches are kept.`)) deletion.mutate(id);
  };
}

export function useCheckAll() {
  return useMutation({
    mutationFn: () => call(checkAllOpportunities, { query: { active_only: true } }),
    meta: { success: 'Arbitrage check scheduled' },
  });
}

export function useUpdatePrices() {
  return useMutation({
    mutationFn: () => call(updatePrices, {}),
    meta: { success: 'Market price update scheduled' },
  });
}
