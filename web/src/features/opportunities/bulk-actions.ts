import {
  checkOpportunity,
  deleteOpportunity,
  exportCsv,
  type OpportunityRow,
  restoreOpportunity,
  updateOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { call } from '../../calls/call.ts';
import { noteDeleted } from '../../lists/deleted-rows.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';

const ACTIVATE = { label: 'Activate', each: ({ id }: OpportunityRow) => setActive(id, true), done: 'activated' };
const DEACTIVATE = { label: 'Deactivate', each: ({ id }: OpportunityRow) => setActive(id, false), done: 'deactivated' };

/** What can be done with several opportunities at once. */
export const bulkActions: readonly BulkAction<OpportunityRow>[] = [
  { ...ACTIVATE, icon: 'check', appliesTo: ({ active }) => !active, undo: DEACTIVATE },
  { ...DEACTIVATE, icon: 'stop', appliesTo: ({ active }) => active, undo: ACTIVATE },
  {
    label: 'Check Prices',
    icon: 'refresh',
    each: ({ id }) => call(checkOpportunity, { params: { opportunity_id: id } }),
    done: 'checked',
  },
  exportAction('arbitrage_opportunities', (ids) => call(exportCsv, { query: { ids } })),
  {
    label: 'Delete',
    icon: 'trash',
    tone: 'danger',
    question: (count) => `Delete ${count} opportunities? Their batches are kept.`,
    each: async ({ id }) => {
      await call(deleteOpportunity, { params: { opportunity_id: id } });
      noteDeleted(id);
    },
    done: 'deleted',
    undo: {
      label: 'Restore',
      each: ({ id }) => call(restoreOpportunity, { params: { opportunity_id: id } }),
      done: 'restored',
    },
  },
];

function setActive(id: string, active: boolean) {
  return call(updateOpportunity, { params: { opportunity_id: id }, query: {}, body: { active } });
}
