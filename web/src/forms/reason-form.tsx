import { Button, Textarea } from '@mantine/core';
import type { MutationMeta } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ButtonRow } from '../ui/button-row.tsx';
import { useContractForm } from './contract-form.ts';

type ReasonFormProps<Reply> = {
  /** Who reads the reason, and of what. */
  children: ReactNode;
  lengthMax: number;
  problems: (values: { reason: string }) => Record<string, string>;
  send: (values: { reason: string }) => Promise<Reply>;
  meta: MutationMeta;
  onSent: (reply: Reply) => void;
  onClose: () => void;
};

/** Asks why something is rejected. */
export function ReasonForm<Reply>({ children, lengthMax, onClose, ...sending }: ReasonFormProps<Reply>) {
  const { form, submit, sending: isSending } = useContractForm({ initialValues: { reason: '' }, ...sending });
  return (
    <form className="stack" noValidate onSubmit={submit}>
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
      <ButtonRow>
        <Button variant="default" disabled={isSending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={isSending}>
          Reject
        </Button>
      </ButtonRow>
    </form>
  );
}
