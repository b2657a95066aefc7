import type { Item } from '@dutchbook/contract/items.ts';
import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useContractForm } from '../../forms/contract-form.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import styles from './item-form.module.css';
import { itemListKey } from './item-queries.ts';

type Fields = Pick<Item, 'title' | 'description'>;
/** An empty description is typed as a text and sent as none. */
type Typed = { title: string; description: string };

type ItemFormProps = {
  initial?: Fields;
  problems: (typed: Typed) => Record<string, string>;
  send: (fields: Fields) => Promise<Item>;
  /** What the toast says when it worked. */
  success: string;
  onSaved: () => void;
  onCancel: () => void;
};

/** Title and description, the same to add an item and to edit one. */
export function ItemForm({ initial, problems, send, success, onSaved, onCancel }: ItemFormProps) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: { title: initial?.title ?? '', description: initial?.description ?? '' },
    problems,
    send: ({ title, description }) => send({ title, description: description.trim() === '' ? null : description }),
    meta: { success },
    onSent: () => {
      void client.invalidateQueries({ queryKey: itemListKey });
      onSaved();
    },
  });
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextInput label="Title" autoComplete="off" data-autofocus {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={3} maxRows={10} {...form.getInputProps('description')} />
      <FormButtons sending={sending} onCancel={onCancel} />
    </form>
  );
}
