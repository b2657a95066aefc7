import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { type ContractForm, useContractForm } from './contract-form.ts';

type DialogFormProps<Values, Reply> = Omit<ContractForm<Values, Reply>, 'onSent'> & {
  /** What follows once it has been sent and the dialog has closed. */
  onSent?: (reply: Reply) => void;
  onClose: () => void;
  /** Whether it can be saved as it stood when it was opened. */
  savesUnchanged?: boolean;
  children: (form: UseFormReturnType<Values>) => ReactNode;
};

type FormDialogProps<Values, Reply> = DialogFormProps<Values, Reply> & { opened: boolean; title: string };

/** A form in a dialog, which begins anew each time it is opened and closes once it has been sent. */
export function FormDialog<Values extends Record<string, unknown>, Reply>({
  opened,
  title,
  ...form
}: FormDialogProps<Values, Reply>) {
  return (
    <Dialog opened={opened} title={title} onClose={form.onClose}>
      <DialogForm {...form} />
    </Dialog>
  );
}

function DialogForm<Values extends Record<string, unknown>, Reply>(props: DialogFormProps<Values, Reply>) {
  const { onSent, onClose, savesUnchanged = true, children, ...options } = props;
  const sent = (reply: Reply) => {
    onClose();
    onSent?.(reply);
  };
  const { form, submit, sending } = useContractForm({ ...options, onSent: sent });
  return (
    <form className="stack" noValidate onSubmit={submit}>
      {children(form)}
      <FormButtons sending={sending} disabled={!savesUnchanged && !form.isDirty()} onCancel={onClose} />
    </form>
  );
}
