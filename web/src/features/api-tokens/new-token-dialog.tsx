import { type ApiTokenScope, createApiToken, newApiToken } from '@dutchbook/contract/api-tokens.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { DialogForm } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { apiTokensKey } from './token-queries.ts';
import { SCOPE_MEANS, SCOPE_WORDS } from './token-words.ts';

const DAYS = ['7', '30', '90', '365'].map((days) => ({ value: days, label: `${days} days` }));

type NewTokenDialogProps = { opened: boolean; scopes: readonly ApiTokenScope[]; onClose: () => void };

/** Makes an API token, and shows it for as long as the dialog stands. */
export function NewTokenDialog({ opened, scopes, onClose }: NewTokenDialogProps) {
  const [made, setMade] = useState<string>();
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog
      opened={opened}
      title={made === undefined ? 'New API Token' : 'Copy the API Token'}
      onClose={close}
      {...(made !== undefined && { unsaved: 'Close? This API token is not shown again.' })}
    >
      {made === undefined ? (
        <NewTokenForm scopes={scopes} onMade={setMade} onClose={close} />
      ) : (
        <div className="stack">
          <p>It is not shown again. Anyone who has it can call with it until it expires or you revoke it.</p>
          <Copyable text={made} what="API token" mono>
            {made}
          </Copyable>
          <ButtonRow>
            <Button onClick={close}>Done</Button>
          </ButtonRow>
        </div>
      )}
    </Dialog>
  );
}

/** The days as the select has them. */
type Draft = { name: string; scope: ApiTokenScope; expires_in_days: string };

const bodyOf = (draft: Draft) => ({ ...draft, expires_in_days: Number(draft.expires_in_days) });
const rules = rulesOf(newApiToken);

type NewTokenFormProps = {
  scopes: readonly ApiTokenScope[];
  onMade: (token: string) => void;
  onClose: () => void;
};

function NewTokenForm({ scopes, onMade, onClose }: NewTokenFormProps) {
  const client = useQueryClient();
  return (
    <DialogForm<Draft, { token: string }>
      initialValues={{ name: '', scope: 'read', expires_in_days: '30' }}
      problems={(draft) => rules(bodyOf(draft))}
      send={(draft) => call(createApiToken, { body: bodyOf(draft) })}
      onSent={({ token }) => {
        onMade(token);
        void client.invalidateQueries({ queryKey: apiTokensKey });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="Which script it is for"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <NativeSelect
            label="Scope"
            description={SCOPE_MEANS[form.values.scope]}
            data={scopes.map((scope) => ({ value: scope, label: SCOPE_WORDS[scope] }))}
            {...form.getInputProps('scope')}
          />
          <NativeSelect label="Expires In" data={DAYS} {...form.getInputProps('expires_in_days')} />
        </>
      )}
    </DialogForm>
  );
}
