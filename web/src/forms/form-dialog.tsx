import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Dialog, type DialogProps } from '../ui/dialog.tsx';
import { FormButtons, type FormButtonsProps } from '../ui/form-buttons.tsx';
import { type ContractForm, useContractForm } from './contract-form.ts';

type DialogFormProps<Values, Reply> = Omit<ContractForm<Values, Reply>, 'send'> &
  Pick<FormButtonsProps, 'action' | 'color' | 'other'> & {
    /** Sends what was typed; `before` is what the form held when it was opened. */
    send: (values: Values, before: Values) => Promise<Reply>;
    onClose: () => void;
    /** Whether it can be saved as it stood when it was opened. */
    savesUnchanged?: boolean;
    children: (form: UseFormReturnType<Values>) => ReactNode;
  };

type FormDialogProps<Values, Reply> = Omit<DialogFormProps<Values, Reply>, 'onSent'> &
  Pick<DialogProps, 'opened' | 'title' | 'size' | 'unsaved'> & {
    /** What follows once it has been sent and the dialog has closed. */
    onSent?: (reply: Reply) => void;
  };

/** A form in a dialog, which begins anew each time it is opened and closes once it has been sent. */
export function FormDialog<Values extends Record<string, unknown>, Reply>(props: FormDialogProps<Values, Reply>) {
  const { opened, title, size, unsaved, onSent, ...form } = props;
  const sent = (reply: Reply) => {
    form.onClose();
    onSent?.(reply);
  };
  return (
    <Dialog
      opened={opened}
      title={title}
      onClose={form.onClose}
      {...(size !== undefined && { size })}
      {...(unsaved !== undefined && { unsaved })}
    >
      <DialogForm {...form} onSent={sent} />
    </Dialog>
  );
}

/** The form of a dialog that goes on to another step, or says itself what closes it. */
export function DialogForm<Values extends Record<string, unknown>, Reply>(props: DialogFormProps<Values, Reply>) {
  const { action, color, other, send, onClose, savesUnchanged = true, children, ...options } = props;
  const [before] = useState(options.initialValues);
  const { form, submit, sending } = useContractForm({ ...options, send: (values: Values) => send(values, before) });
  return (
    <form className="stack" noValidate onSubmit={submit}>
      {children(form)}
      <FormButtons
        action={action}
        color={color}
        other={other}
        sending={sending}
        disabled={!savesUnchanged && !form.isDirty()}
        onCancel={onClose}
      />
    </form>
  );
}
