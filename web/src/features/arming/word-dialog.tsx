import { ARM_CONFIRMATION, armForm } from '@dutchbook/contract/arming.ts';
import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { whenShown } from '../../calls/when-shown.ts';
import { type ContractForm, useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type WordDialogProps<Reply> = Pick<ContractForm<{ confirmation: string }, Reply>, 'send' | 'meta' | 'onSent'> & {
  opened: boolean;
  title: string;
  /** What the button says. */
  action: string;
  onClose: () => void;
  /** What follows from it. */
  children: ReactNode;
};

/** Has real orders leave once the word for arming has been typed. */
export function WordDialog<Reply>({ send, onSent, meta, ...dialog }: WordDialogProps<Reply>) {
  const { opened, title, action, onClose, children } = dialog;
  const { form, submit, sending } = useContractForm({
    initialValues: { confirmation: '' },
    problems: rulesOf(armForm),
    send: (body) => send(body).catch(whenShown(onClose)),
    ...(meta && { meta }),
    onSent: (reply) => {
      onSent(reply);
      onClose();
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} unsaved={false} title={title}>
      <form className="stack" noValidate onSubmit={submit}>
        {children}
        <TextInput
          label={`Type ${ARM_CONFIRMATION} to confirm`}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('confirmation')}
        />
        <ButtonRow>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            {action}
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  );
}
