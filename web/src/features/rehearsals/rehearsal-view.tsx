import { cancelRehearsal, type Rehearsal } from '@dutchbook/contract/rehearsals.ts';
import { Button, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Note } from '../../ui/states.tsx';
import styles from './rehearsal.module.css';
import { RehearsalFindings } from './rehearsal-findings.tsx';
import { rehearsalQuery, rehearsalsKey } from './rehearsal-queries.ts';

/** `isBesideForm`: links open in a new tab, so that the form beside it keeps its input. */
type RehearsalViewProps = { id: string; isBesideForm?: boolean };

/** One rehearsal in any state: waiting, running, ended, or with a result. */
export function RehearsalView({ id, isBesideForm = false }: RehearsalViewProps) {
  return (
    <Loaded of={useQuery(rehearsalQuery(id))} text="Error loading the rehearsal" height={120}>
      {(rehearsal) => <State of={rehearsal} isBesideForm={isBesideForm} />}
    </Loaded>
  );
}

function State({ of: rehearsal, isBesideForm }: { of: Rehearsal; isBesideForm: boolean }) {
  const { state, result, error } = rehearsal;
  if (result !== null) return <RehearsalFindings of={rehearsal} result={result} isBesideForm={isBesideForm} />;
  switch (state) {
    case 'failed':
      return <Note tone="error" title={`The rehearsal failed: ${error ?? 'not known why'}`} />;
    case 'canceled':
      return <Note tone="inactive" title="The rehearsal was canceled." />;
    default:
      return <Unfinished of={rehearsal} />;
  }
}

function Unfinished({ of: { id, state, progress } }: { of: Rehearsal }) {
  const client = useQueryClient();
  const cancel = useSingleMutation({
    mutationFn: () => call(cancelRehearsal, { params: { rehearsal_id: id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: rehearsalsKey }),
    meta: { failure: 'The rehearsal was not canceled' },
  });
  const percent = Math.floor(progress * 100);
  return (
    <div className={styles.progress}>
      <p role="status">
        {state === 'queued' ? 'Waits until it can begin.' : `${percent}% done.`} It goes on when this page is left, and
        is kept under Admin, Rehearsals.
      </p>
      <Progress value={percent} size="sm" aria-label="Rehearsal" />
      <div className="row">
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.start()}>
          Cancel Rehearsal
        </Button>
      </div>
    </div>
  );
}
