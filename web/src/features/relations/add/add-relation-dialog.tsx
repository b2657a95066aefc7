import {
  addRelation,
  HUMAN_KINDS,
  type HumanKind,
  MEMBERS_MIN,
  NOTE_LENGTH_MAX,
  TITLE_LENGTH_MAX,
} from '@dutchbook/contract/discovery/decisions.ts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../../calls/call.ts';
import { useContractForm } from '../../../forms/contract-form.ts';
import { rulesOf } from '../../../forms/form-rules.ts';
import { readOne } from '../../../live/fresher.ts';
import { ButtonRow } from '../../../ui/button-row.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { statusWords } from '../../../ui/status-badge.tsx';
import { useKeepRelation } from '../relation-queries.ts';
import styles from './add-relation-dialog.module.css';
import { type Chosen, ChosenMembers } from './chosen-members.tsx';
import { MemberSearch } from './member-search.tsx';
import { membersRefused } from './members-refused.ts';

const MEANING: Record<HumanKind, string> = {
  at_most_one: 'Whatever happens, at most one of these markets resolves to Yes.',
  exactly_one: 'Whatever happens, one of these markets resolves to Yes and the others to No.',
  ladder: 'Hardest first: each implies the next.',
};

type AddRelationDialogProps = { opened: boolean; onClose: () => void };

/** States a relation between markets that discovery does not read by itself. */
export function AddRelationDialog({ opened, onClose }: AddRelationDialogProps) {
  const [unsaved, setUnsaved] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title="Add Relation" size="min(1160px, 100%)" unsaved={unsaved}>
      <AddForm onClose={onClose} onUnsaved={setUnsaved} />
    </Dialog>
  );
}

type AddFormProps = { onClose: () => void; onUnsaved: (unsaved: boolean) => void };

/** Lives as long as the dialog is open, so that each opening starts with nothing. */
function AddForm({ onClose, onUnsaved }: AddFormProps) {
  const [members, setMembers] = useState<readonly Chosen[]>([]);
  const { form, submit, sending, refusedAt, forget } = useAddForm(members, onClose);
  const { kind } = form.getValues();
  const isShort = members.length < MEMBERS_MIN;
  const isTouched = members.length > 0 || form.isDirty();
  useEffect(() => onUnsaved(isTouched), [isTouched, onUnsaved]);
  const choose = (next: readonly Chosen[]) => {
    setMembers(next);
    forget();
    form.clearFieldError('market_ids');
  };
  return (
    <form noValidate onSubmit={submit} className={styles.panes}>
      <MemberSearch chosen={members} onChoose={choose} />
      <div className={styles.statement}>
        <NativeSelect
          label="Kind"
          description={MEANING[kind]}
          data={HUMAN_KINDS.map((value) => ({ value, label: statusWords(value) }))}
          {...form.getInputProps('kind')}
        />
        <ChosenMembers
          members={members}
          isOrdered={kind === 'ladder'}
          error={form.errors.market_ids}
          refusedAt={refusedAt}
          onChange={choose}
        />
        <TextInput
          label="Title"
          description="What it says, as a sentence; may be left empty"
          autoComplete="off"
          maxLength={TITLE_LENGTH_MAX}
          {...form.getInputProps('title')}
        />
        <Textarea
          label="Note"
          description="Why it must hold whatever happens, for the approver"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={NOTE_LENGTH_MAX}
          {...form.getInputProps('note')}
        />
        <p className={styles.muted}>It is watched at once. It trades once a superuser has approved it.</p>
        <ButtonRow>
          {isShort && <span className="hint">Choose two markets or more first.</span>}
          <Button variant="default" disabled={sending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant={isShort ? 'default' : 'filled'} loading={sending}>
            Add
          </Button>
        </ButtonRow>
      </div>
    </form>
  );
}

type Values = { kind: HumanKind; market_ids: readonly string[]; title: string; note: string };

/** What is chosen is judged and sent with the fields; `refusedAt`: what the server says of single members, by their ids. */
function useAddForm(members: readonly Chosen[], onClose: () => void) {
  const keep = useKeepRelation();
  const navigate = useNavigate();
  const [refusedAt, setRefusedAt] = useState<ReadonlyMap<string, string>>(new Map());
  const market_ids = members.map(({ id }) => id);
  const bodyOf = ({ kind, title, note }: Values) => ({
    ...{ kind, market_ids, note },
    title: title.trim() === '' ? null : title,
  });
  const { form, submit, sending } = useContractForm({
    initialValues: { kind: 'at_most_one', market_ids: [], title: '', note: '' } as Values,
    problems: (values) => rulesOf(addRelation.body)(bodyOf(values)),
    send: (values) =>
      readOne(() => call(addRelation, { body: bodyOf(values) })).catch((error: unknown) => {
        setRefusedAt(membersRefused(error, market_ids));
        throw error;
      }),
    meta: { success: 'Relation added.', failure: 'Failed to add the relation' },
    onSent: (relation) => {
      keep(relation);
      onClose();
      void navigate({ to: '/discover/$relationId', params: { relationId: relation.id } });
    },
  });
  return { form, submit, sending, refusedAt, forget: () => setRefusedAt(new Map()) };
}
