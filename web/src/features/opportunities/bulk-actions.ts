import {
  checkOpportunity,
  deleteOpportunity,
  exportCsv,
  type OpportunityRow,
  updateOpportunity,
} from '@dutchbook/contract/opportunities.ts';
import { call } from '../../calls/call.ts';
import { exportAction } from '../../lists/export-csv.ts';
import type { BulkAction } from '../../lists/selection.tsx';

const ACTIVATE = { label: 'Activate', each: ({ id }: OpportunityRow) => setActive(id, true), done: 'activated' };
const DEACTIVATE = { label: 'Deactivate', each: ({ id }: OpportunityRow) => setActive(id, false), done: 'deactivated' };

/** What can be done with several opportunities at once; `onDeleted` is told of each that is gone. */
export function bulkActions(onDeleted: (id: string) => void): readonly BulkAction<OpportunityRow>[] {
  return [
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
      question: (count) => `Delete ${count} opportunities for good? Their batches are kept.`,
      each: async ({ id }) => {
        await call(deleteOpportunity, { params: { opportunity_id: id } });
        onDeleted(id);
      },
      done: 'deleted',
    },
  ];
}

function setActive(id: string, active: boolean) {
  return call(updateOpportunity, { params: { opportunity_id: id }, query: {}, body: { active } });
}
