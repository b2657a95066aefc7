import type { Instant } from '@dutchbook/units/instant.ts';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { whenShown } from '../calls/when-shown.ts';
import { ButtonRow } from '../ui/button-row.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { useContractForm } from './contract-form.ts';
import { changedFields, rebasedFields } from './rebase.ts';
import { useUnsaved } from './unsaved.ts';

type SavedFormOptions<Saved, Draft> = {
  saved: Saved;
  draftOf: (saved: Saved) => Draft;
  /** What stands for a value that was typed; without it, what was typed. */
  meaningOf?: (typed: unknown) => unknown;
  /** The problem of each field that has one. */
  problems: (draft: Draft) => Record<string, string>;
  send: (draft: Draft) => Promise<Saved>;
  /** What the toast says. */
  success: string;
  onSaved: (saved: Saved) => void;
  /** Whether what was sent is then shown as it was stored. */
  rewrites?: boolean;
};

/** A form over what is saved: it follows what another tab or user saves, but for what is being typed. */
export function useSavedForm<Saved, Draft extends Record<string, unknown>>(options: SavedFormOptions<Saved, Draft>) {
  const { saved, draftOf, meaningOf, problems, send, success, onSaved, rewrites = false } = options;
  const unchanged = useMemo(() => draftOf(saved), [draftOf, saved]);
  const { form, submit, sending } = useContractForm({
    initialValues: unchanged,
    problems,
    // A second person has what was sent, and changes it or does not.
    send: (draft) => send(draft).catch(whenShown(undo)),
    meta: { success },
    onSent: (now) => {
      onSaved(now);
      if (rewrites) form.setValues(draftOf(now));
    },
  });
  const { setValues } = form;
  const known = useRef(unchanged);
  useEffect(() => {
    const before = known.current;
    known.current = unchanged;
    if (before !== unchanged) setValues((draft) => rebasedFields(draft as Draft, before, unchanged, meaningOf));
  }, [unchanged, setValues, meaningOf]);
  const isChanged = changedFields(form.values, unchanged, meaningOf).length > 0;
  useUnsaved(isChanged);
  const undo = () => {
    form.setValues(unchanged);
    form.clearErrors();
  };
  return { form, submit, sending, isChanged, undo };
}

/** Who last changed what is saved; nothing before its first change. */
export function LastChange({ at, by }: { at: Instant | null; by: string | null }) {
  if (at === null) return null;
  return (
    <p className="hint">
      Changed <LocalTime at={at} /> by {by ?? 'a deleted user'}.
    </p>
  );
}

type SavedFormProps = {
  form: {
    submit: (event?: FormEvent<HTMLFormElement>) => void;
    sending: boolean;
    isChanged: boolean;
    undo: () => void;
  };
  /** What the button says. */
  action: string;
  variant?: 'filled' | 'default';
  canUndo?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** Such a form in a card of its own, with the button that sets it. */
export function SavedForm(props: SavedFormProps) {
  const { form, action, variant = 'filled', canUndo = false, className = '', children } = props;
  const { submit, sending, isChanged, undo } = form;
  return (
    <form noValidate onSubmit={submit} className={`stack ${className}`}>
      {children}
      <ButtonRow>
        {canUndo && (
          <Button variant="default" disabled={!isChanged || sending} onClick={undo}>
            Undo
          </Button>
        )}
        <Button type="submit" variant={variant} disabled={!isChanged} loading={sending}>
          {action}
        </Button>
      </ButtonRow>
    </form>
  );
}
