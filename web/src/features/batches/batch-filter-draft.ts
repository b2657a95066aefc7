import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { useState } from 'react';
import { flagFrom, idFrom, oneOf } from '../../lists/list-search.ts';
import type { BatchFilter, BatchSearch } from './batch-search.ts';

/** The filters as they are being chosen: texts of the five fields. */
export type Draft = { status: string; isActive: string; canRetry: string; unhedged: string; opportunityId: string };

const EMPTY: Draft = { status: '', isActive: '', canRetry: '', unhedged: '', opportunityId: '' };

/** What is chosen but not applied yet. Reset goes back to what is applied, Clear applies nothing at all. */
export function useFilterDraft(search: BatchSearch, onFilter: (filter: BatchFilter) => void) {
  const [draft, setDraft] = useState(draftOf(search));
  const [idError, setIdError] = useState<string>();
  return {
    draft,
    idError,
    change: (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part })),
    judgeId: () => setIdError(idRefusal(draft.opportunityId)),
    apply: () => {
      const refusal = idRefusal(draft.opportunityId);
      setIdError(refusal);
      if (refusal === undefined) onFilter(filterFrom(draft));
    },
    reset: () => {
      setDraft(draftOf(search));
      setIdError(undefined);
    },
    clear: () => {
      setDraft(EMPTY);
      setIdError(undefined);
      onFilter({ q: undefined, ...filterFrom(EMPTY) });
    },
  };
}

function draftOf({ status, isActive, canRetry, unhedged, opportunityId }: BatchSearch): Draft {
  return {
    status: status ?? '',
    isActive: String(isActive ?? ''),
    canRetry: String(canRetry ?? ''),
    unhedged: String(unhedged ?? ''),
    opportunityId: opportunityId ?? '',
  };
}

function filterFrom({ status, isActive, canRetry, unhedged, opportunityId }: Draft): BatchFilter {
  return {
    status: oneOf(BATCH_STATUSES, status),
    isActive: flagFrom(isActive),
    canRetry: flagFrom(canRetry),
    unhedged: flagFrom(unhedged),
    opportunityId: opportunityId.trim() || undefined,
  };
}

function idRefusal(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return idFrom(text.trim()) === undefined ? 'Enter the whole ID' : undefined;
}
