import type { Run } from '@dutchbook/contract/accounts/runs.ts';
import type { listReportChoices } from '@dutchbook/contract/report.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type * as z from 'zod/mini';
import { callQuery } from '../../calls/call-query.ts';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import type { PanelField } from '../../lists/filter-panel.tsx';
import { endedRuns, useRuns } from '../runs/runs-query.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { useFieldsByVenue } from '../status/system-status.ts';
import { choicesQuery } from './report-queries.ts';
import { NONE, REPORT_FILTER, type ReportFilter } from './report-search.ts';

type Field = PanelField<keyof ReportFilter>;

/** The event and the source, which are chosen among what there is, stand before the last of them. */
const FIELDS = fieldsOf(REPORT_FILTER);

/** Superusers alone may know who else there is. */
const operatorsQuery = callQuery(['operators'], listUsers, { query: { skip: 0, limit: 1000 } });

/**
 * By what the report is narrowed: an operator is chosen by name where the reader may know the names. What it is narrowed to now is
 * among what is offered.
 */
export function useReportFields({ eventId, source }: Pick<ReportFilter, 'eventId' | 'source'>): readonly Field[] {
  const parts = useFieldsByVenue(FIELDS);
  const { data: me, isPlaceholderData } = useQuery(currentUserQuery);
  const { data: users } = useQuery({ ...operatorsQuery, enabled: me?.is_superuser === true && !isPlaceholderData });
  const runs = useRuns()?.runs ?? NO_RUNS;
  const ended = useMemo(() => endedRuns(runs), [runs]);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const { data: choices = NO_CHOICES } = useQuery(choicesQuery(search.slice(0, NAME_LENGTH_MAX), eventId));
  return useMemo(() => {
    const known = users?.data ?? (me === undefined ? [] : [me]);
    const emails = known.map(({ id, email }) => ({ value: id, label: email }));
    const operator: Field = {
      name: 'operatorId',
      label: 'Operator',
      choices: [{ value: '', label: 'All users' }, ...emails],
    };
    const fields: readonly Field[] = parts.map((field) =>
      field.name === 'operatorId' && known.length > 0 ? operator : field,
    );
    const all = fields.toSpliced(-1, 0, eventField(choices, eventId, setTyped), sourceField(choices, source));
    return ended.length === 0 ? all : [runField(ended), ...all];
  }, [parts, me, users, choices, eventId, source, ended]);
}

const NO_RUNS: readonly Run[] = [];

/** The present run, and those that have ended with their days. */
function runField(ended: readonly Run[]): Field {
  const days = ({ began_at, ended_at }: Run) =>
    [began_at, ended_at].map((at) => (at === null ? '' : instantToIso(at).slice(0, 10))).join(' to ');
  const choices = ended.map((run) => ({ value: String(run.number), label: `Run ${run.number}, ${days(run).trim()}` }));
  return { name: 'run', label: 'Run', choices: [{ value: '', label: 'Present run' }, ...choices] };
}

const SEARCH_DELAY_MS = 250;
const NAME_LENGTH_MAX = 200;

type Choices = z.output<typeof listReportChoices.reply>;
const NO_CHOICES: Choices = { events: [], sources: [] };

function eventField({ events }: Choices, eventId: EventId | undefined, onType: (text: string) => void): Field {
  const titles = Map.groupBy(events, ({ title }) => title);
  const offered = events.map(({ id, title }) => {
    const isAlone = titles.get(title)?.length === 1;
    return { value: id, label: isAlone ? title : `${title} (${id})` };
  });
  const isKnown = (id: string) => id === eventId || events.some((event) => event.id === id);
  return {
    ...{ name: 'eventId', label: 'Event', placeholder: 'Any', flex: '1 1 180px', offered, onType },
    refusal: (id) => (isKnown(id) ? undefined : 'Choose one of the events that are offered'),
  };
}

function sourceField({ sources }: Choices, chosen: string | undefined): Field {
  const known = new Set([...sources.map(({ source }) => source ?? NONE), chosen ?? NONE]);
  known.delete(NONE);
  return {
    name: 'source',
    label: 'Source',
    choices: [
      { value: '', label: 'All sources' },
      { value: NONE, label: 'None' },
      ...[...known].map((source) => ({ value: source, label: source })),
    ],
  };
}
