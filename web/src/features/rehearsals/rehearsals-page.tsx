import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { cancelRehearsal, deleteRehearsal, type Rehearsal } from '@dutchbook/contract/rehearsals.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath, Panel } from '../../ui/panel.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Signed } from '../../ui/signed.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge, statusWords, type Tone } from '../../ui/status-badge.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { RehearsalComparison } from './rehearsal-comparison.tsx';
import { isUnfinished, rehearsalsKey, rehearsalsQuery } from './rehearsal-queries.ts';
import { RehearsalView } from './rehearsal-view.tsx';
import { changesWords, gains, isAllUnknown, MAIN_MODEL } from './rehearsal-words.ts';

const COMPARED_MAX = 3;

/** `shown`: the ids of those that are looked at, several side by side. */
type RehearsalsProps = { shown: readonly string[]; onShow: (ids: readonly string[]) => void };

/** The rehearsals that are kept, the newest first. */
export function Rehearsals(props: RehearsalsProps) {
  return (
    <Loaded of={useQuery(rehearsalsQuery)} text="Error loading the rehearsals" height={320}>
      {({ data }) => <Kept rehearsals={data} {...props} />}
    </Loaded>
  );
}

function Kept({ rehearsals, shown, onShow }: RehearsalsProps & { rehearsals: readonly Rehearsal[] }) {
  const { asked, ask, close } = useAsked<Rehearsal>();
  const cancel = useCancel();
  const chosen = useMemo(
    () => shown.flatMap((id) => rehearsals.find((rehearsal) => rehearsal.id === id) ?? []),
    [shown, rehearsals],
  );
  const columns = useMemo(() => {
    const ids = chosen.map(({ id }) => id);
    return columnsOf({
      ids,
      onToggle: (id) => onShow(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]),
      onShow: (id) => onShow([id]),
      onCancel: cancel,
      onDelete: ask,
    });
  }, [chosen, onShow, cancel, ask]);
  if (rehearsals.length === 0)
    return (
      <EmptyState icon="eye" text="No rehearsals yet" hint="Change a setting, and press Rehearse beside Save.">
        <Link to="/admin/system-settings">System Settings</Link>
      </EmptyState>
    );
  const [only] = chosen;
  return (
    <div className="stack">
      <DataTable label="Rehearsals" columns={columns} rows={rehearsals} onOpen={({ id }) => onShow([id])} />
      {chosen.length === 1 && only !== undefined && (
        <Panel title="Result">
          <RehearsalView key={only.id} id={only.id} />
        </Panel>
      )}
      {chosen.length > 1 && (
        <Panel title="Side by Side">
          <RehearsalComparison of={chosen} />
        </Panel>
      )}
      {asked && <DeleteDialog rehearsal={asked.about} opened={asked.opened} onClose={close} />}
    </div>
  );
}

function useCancel(): (id: string) => void {
  const client = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => call(cancelRehearsal, { params: { rehearsal_id: id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: rehearsalsKey }),
    meta: { failure: 'The rehearsal was not canceled' },
  }).start;
}

type DeleteDialogProps = { rehearsal: Rehearsal; opened: boolean; onClose: () => void };

function DeleteDialog({ rehearsal, opened, onClose }: DeleteDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmedCall
      opened={opened}
      title="Delete Rehearsal"
      confirm="Delete"
      send={() => call(deleteRehearsal, { params: { rehearsal_id: rehearsal.id } })}
      onDone={() => client.invalidateQueries({ queryKey: rehearsalsKey })}
      meta={{ success: 'The rehearsal was deleted.', failure: 'The rehearsal was not deleted' }}
      onClose={onClose}
    >
      <p>
        <strong>{nameOf(rehearsal)}</strong> will be deleted for good. It can be rehearsed again while what was recorded
        is kept.
      </p>
    </ConfirmedCall>
  );
}

const nameOf = ({ changes }: Rehearsal) => changesWords(changes).join(', ') || 'The same settings';

type Actions = {
  ids: readonly string[];
  onToggle: (id: string) => void;
  onShow: (id: string) => void;
  onCancel: (id: string) => void;
  onDelete: (rehearsal: Rehearsal) => void;
};

function columnsOf({ ids, onToggle, onShow, onCancel, onDelete }: Actions): readonly Column<Rehearsal>[] {
  return [
    {
      key: 'shown',
      header: 'Compare',
      cell: (rehearsal) => (
        <Checkbox
          aria-label={`Compare ${nameOf(rehearsal)}`}
          checked={ids.includes(rehearsal.id)}
          disabled={!ids.includes(rehearsal.id) && ids.length >= COMPARED_MAX}
          onChange={() => onToggle(rehearsal.id)}
        />
      ),
    },
    {
      key: 'changes',
      header: 'Changes',
      wide: true,
      cell: (rehearsal) => (
        <>
          {nameOf(rehearsal)}
          <Beneath>
            <LocalTime at={rehearsal.created_at} /> by {rehearsal.created_by ?? 'a deleted user'}
          </Beneath>
        </>
      ),
    },
    {
      key: 'span',
      header: 'Span',
      wide: true,
      cell: ({ from, until }) => (
        <>
          <LocalTime at={from} /> to <LocalTime at={until} />
        </>
      ),
    },
    { key: 'outcome', header: 'Outcome', cell: (rehearsal) => <Outcome of={rehearsal} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (rehearsal) => (
        <RowMenu
          of={shortId(rehearsal.id)}
          entries={[
            { label: 'Show Result', icon: 'eye', onChoose: () => onShow(rehearsal.id) },
            isUnfinished(rehearsal)
              ? { label: 'Cancel Rehearsal', icon: 'stop', onChoose: () => onCancel(rehearsal.id) }
              : { label: 'Delete Rehearsal', icon: 'trash', tone: 'danger', onChoose: () => onDelete(rehearsal) },
          ]}
        />
      ),
    },
  ];
}

const TONES: Record<Rehearsal['state'], Tone> = {
  queued: 'pending',
  running: 'active',
  done: 'success',
  failed: 'error',
  canceled: 'inactive',
};

function Outcome({ of: rehearsal }: { of: Rehearsal }) {
  const { state, progress, result } = rehearsal;
  if (result === null)
    return (
      <StatusBadge tone={TONES[state]}>
        {statusWords(state)}
        {state === 'running' && ` ${Math.floor(progress * 100)}%`}
      </StatusBadge>
    );
  if (isAllUnknown(rehearsal, result)) return <StatusBadge tone="warning">Unknown</StatusBadge>;
  const gain = gains(result)[MAIN_MODEL];
  return <Signed value={gain}>{formatUsd(gain)}</Signed>;
}
