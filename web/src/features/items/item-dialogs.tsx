import {
  createItem,
  deleteItem,
  type Item,
  itemChanges,
  newItem,
  restoreItem,
  updateItem,
} from '@dutchbook/contract/items.ts';
import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastDeleted } from '../../calls/toast-deleted.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { itemListKey } from './item-queries.ts';

type AddItemDialogProps = { opened: boolean; onAdded: () => void; onClose: () => void };

export function AddItemDialog({ opened, onAdded, onClose }: AddItemDialogProps) {
  return (
    <Dialog opened={opened} title="Add Item" onClose={onClose}>
      <ItemForm
        problems={rulesOf(newItem)}
        send={(body) => call(createItem, { body })}
        success="Item created successfully."
        onSaved={() => {
          onClose();
          onAdded();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** `item` stays the last one while its dialog fades away. */
type OneItemDialogProps = { opened: boolean; item: Item; onClose: () => void };

export function EditItemDialog({ opened, item, onClose }: OneItemDialogProps) {
  return (
    <Dialog opened={opened} title="Edit Item" onClose={onClose}>
      <ItemForm
        key={item.id}
        initial={item}
        problems={rulesOf(itemChanges)}
        send={(body) => call(updateItem, { params: { id: item.id }, body })}
        success="Item updated successfully."
        onSaved={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}

export function DeleteItemDialog({ opened, item, onClose }: OneItemDialogProps) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: itemListKey });
  const deletion = useSingleMutation({
    mutationFn: () => call(deleteItem, { params: { id: item.id } }),
    onSuccess: async () => {
      await refresh();
      onClose();
      const restore = () => call(restoreItem, { params: { id: item.id } });
      toastDeleted('The item was deleted successfully', restore, refresh);
    },
    meta: { failure: 'An error occurred while deleting the item' },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Item"
      confirm="Delete"
      onConfirm={deletion.start}
      pending={deletion.isPending}
      onClose={onClose}
    >
      <p>
        <strong>{item.title}</strong> will be deleted. This can be undone only for a moment.
      </p>
    </ConfirmDialog>
  );
}

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
function ItemForm({ initial, problems, send, success, onSaved, onCancel }: ItemFormProps) {
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
    <form className="stack" noValidate onSubmit={submit}>
      <TextInput label="Title" autoComplete="off" data-autofocus {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={3} maxRows={10} {...form.getInputProps('description')} />
      <FormButtons sending={sending} onCancel={onCancel} />
    </form>
  );
}
