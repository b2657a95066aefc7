import { ARM_CONFIRMATION, armForm } from '@dutchbook/contract/arming.ts';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { whenShown } from '../../calls/when-shown.ts';
import type { ContractForm } from '../../forms/contract-form.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';

type WordDialogProps<Reply> = Omit<ContractForm<{ confirmation: string }, Reply>, 'initialValues' | 'problems'> & {
  opened: boolean;
  title: string;
  /** What the button says. */
  action: string;
  onClose: () => void;
  /** What follows from it. */
  children: ReactNode;
};

/** Has real orders leave once the word for arming has been typed. */
export function WordDialog<Reply>({ send, children, ...dialog }: WordDialogProps<Reply>) {
  return (
    <FormDialog
      {...dialog}
      unsaved={false}
      initialValues={{ confirmation: '' }}
      problems={rulesOf(armForm)}
      send={(body) => send(body).catch(whenShown(dialog.onClose))}
    >
      {(form) => (
        <>
          {children}
          <TextInput
            label={`Type ${ARM_CONFIRMATION} to confirm`}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('confirmation')}
          />
        </>
      )}
    </FormDialog>
  );
}
