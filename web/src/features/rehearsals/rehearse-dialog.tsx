import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { createRehearsal, type RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './rehearsal.module.css';
import { rehearsalQuery, rehearsalsKey } from './rehearsal-queries.ts';
import { RehearsalView } from './rehearsal-view.tsx';
import { changesWords } from './rehearsal-words.ts';
import { firstSpan, type Span, SpanFields, spanFrom } from './span-fields.tsx';

type RehearseDialogProps = {
  opened: boolean;
  onClose: () => void;
  changes: RehearsalChanges;
  /** Why nothing would be placed as things are; null where something would. */
  notPlaced: string | null;
  /** What the button of the form that is rehearsed says, and does. */
  save: { action: string; onSave: () => void };
};

/** Tries on the past what a form is about to save; that can be done from here then, or not. */
export function RehearseDialog({ opened, onClose, changes, notPlaced, save }: RehearseDialogProps) {
  const [asked, setAsked] = useState<{ id: string; about: string }>();
  const about = JSON.stringify(changes);
  // Of other changes it says nothing.
  const id = asked?.about === about ? asked.id : undefined;
  return (
    <Dialog opened={opened} title="Rehearse" size="xl" unsaved={false} onClose={onClose}>
      <div className="stack">
        {id === undefined ? (
          <AskForm changes={changes} notPlaced={notPlaced} onAsked={(made) => setAsked({ id: made, about })} />
        ) : (
          <>
            <RehearsalView id={id} isBesideForm />
            <ButtonRow>
              <Button variant="default" onClick={() => setAsked(undefined)}>
                Rehearse Again
              </Button>
              <Button variant="default" onClick={onClose}>
                Do Not Save
              </Button>
              <Button onClick={save.onSave}>{save.action}</Button>
            </ButtonRow>
          </>
        )}
      </div>
    </Dialog>
  );
}

type AskFormProps = Pick<RehearseDialogProps, 'changes' | 'notPlaced'> & { onAsked: (id: string) => void };

/** No form of its own: it stands within the form that is rehearsed. */
function AskForm({ changes, notPlaced, onAsked }: AskFormProps) {
  const client = useQueryClient();
  const [span, setSpan] = useState(() => firstSpan(Date.now()));
  const [problem, setProblem] = useState<string | null>(null);
  const [assumePlacing, setAssumePlacing] = useState(notPlaced !== null);
  const creation = useSingleMutation({
    mutationFn: (over: Span) => call(createRehearsal, { body: { ...over, changes, assume_placing: assumePlacing } }),
    onSuccess: (rehearsal) => {
      client.setQueryData(rehearsalQuery(rehearsal.id).queryKey, rehearsal);
      void client.invalidateQueries({ queryKey: rehearsalsKey });
      onAsked(rehearsal.id);
    },
    meta: { failure: 'The rehearsal was not begun' },
  });
  const start = () => {
    const meant = spanFrom(span, Date.now());
    if ('problem' in meant) return setProblem(meant.problem);
    setProblem(null);
    creation.start(meant);
  };
  return (
    <>
      <p>Decides again what was recorded, with the settings as they were and with these changes:</p>
      <ul className={styles.changes} aria-label="Changes to rehearse">
        {changesWords(changes).map((words) => (
          <li key={words} className="mono">
            {words}
          </li>
        ))}
      </ul>
      <SpanFields span={span} problem={problem} onChange={setSpan} />
      <Checkbox
        label="Count as armed and placed automatically"
        description={
          notPlaced ?? 'Without it, each moment counts as it was: armed or not, placing automatically or not.'
        }
        checked={assumePlacing}
        onChange={({ currentTarget }) => setAssumePlacing(currentTarget.checked)}
      />
      <ButtonRow>
        <Button loading={creation.isPending} onClick={start}>
          Start Rehearsal
        </Button>
      </ButtonRow>
    </>
  );
}
