import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ContractForm } from './contract-form.ts';
import { FormDialog } from './form-dialog.tsx';

type ReasonDialogProps<Reply> = Omit<ContractForm<{ reason: string }, Reply>, 'initialValues' | 'onSent'> & {
  opened: boolean;
  title: string;
  /** Who reads the reason, and of what. */
  children: ReactNode;
  lengthMax: number;
  onSent?: (reply: Reply) => void;
  onClose: () => void;
};

/** Asks why something is rejected. */
export function ReasonDialog<Reply>({ children, lengthMax, ...dialog }: ReasonDialogProps<Reply>) {
  return (
    <FormDialog {...dialog} action="Reject" color="red" initialValues={{ reason: '' }}>
      {(form) => (
        <>
          <p style={{ overflowWrap: 'anywhere' }}>{children}</p>
          <Textarea
            label="Reason"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={lengthMax}
            data-autofocus
            {...form.getInputProps('reason')}
          />
        </>
      )}
    </FormDialog>
  );
}
