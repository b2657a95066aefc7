import { RELATION_KINDS } from '@dutchbook/contract/list-values.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { choicesOf, type FilterField, flagChoices, refusePartOfId } from '../../lists/filter-fields.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import type { ReportFilter } from './report-search.ts';

type Field = FilterField<keyof ReportFilter>;

/** Superusers alone may know who else there is. */
const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => call(listUsers, { query: { skip: 0, limit: 1000 }, signal }),
});

/** By what the report is narrowed: an operator is chosen by name where the reader may know the names. */
export function useReportFields(): readonly Field[] {
  const { data: me } = useQuery(currentUserQuery);
  const { data: users } = useQuery({ ...operatorsQuery, enabled: me?.is_superuser === true });
  return useMemo(() => {
    const known = users?.data ?? (me === undefined ? [] : [me]);
    const operator: Field =
      known.length === 0
        ? { name: 'operatorId', label: 'Operator', refusal: refusePartOfId }
        : {
            name: 'operatorId',
            label: 'Operator',
            choices: [
              { value: '', label: 'Everybody' },
              ...known.map(({ id, email }) => ({ value: id, label: email })),
            ],
          };
    return [...DAYS, operator, ...OTHERS];
  }, [me, users]);
}

const DAYS: readonly Field[] = [
  { name: 'since', label: 'From day', type: 'date', flex: '0 1 140px' },
  { name: 'until', label: 'Until day', type: 'date', flex: '0 1 140px' },
];

const OTHERS: readonly Field[] = [
  { name: 'automatic', label: 'Placed', choices: flagChoices('By hand and automatically', 'Automatically', 'By hand') },
  { name: 'eventId', label: 'Event ID', placeholder: 'Any', flex: '1 1 150px' },
  { name: 'source', label: 'Source', placeholder: 'Any', flex: '1 1 120px' },
  { name: 'structure', label: 'Structure', choices: choicesOf('All structures', RELATION_KINDS) },
];
