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
import { toastDeleted } from '../../calls/toast-deleted.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { itemListKey } from './item-queries.ts';

function useReadItemsAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: itemListKey });
}

type AddItemDialogProps = { opened: boolean; onAdded: () => void; onClose: () => void };

export function AddItemDialog({ onAdded, ...dialog }: AddItemDialogProps) {
  return (
    <ItemDialog
      {...dialog}
      title="Add Item"
      problems={rulesOf(newItem)}
      send={(body) => call(createItem, { body })}
      success="Item created successfully."
      onSaved={onAdded}
    />
  );
}

/** `item` stays the last one while its dialog fades away. */
type OneItemDialogProps = { opened: boolean; item: Item; onClose: () => void };

export function EditItemDialog({ item, ...dialog }: OneItemDialogProps) {
  return (
    <ItemDialog
      {...dialog}
      key={item.id}
      title="Edit Item"
      initial={item}
      problems={rulesOf(itemChanges)}
      send={(body) => call(updateItem, { params: { id: item.id }, body })}
      success="Item updated successfully."
    />
  );
}

export function DeleteItemDialog({ opened, item, onClose }: OneItemDialogProps) {
  const refresh = useReadItemsAgain();
  const params = { id: item.id };
  return (
    <ConfirmedCall
      opened={opened}
      title="Delete Item"
      confirm="Delete"
      send={() => call(deleteItem, { params })}
      onDone={async () => {
        await refresh();
        toastDeleted('The item was deleted successfully', () => call(restoreItem, { params }), refresh);
      }}
      meta={{ failure: 'An error occurred while deleting the item' }}
      onClose={onClose}
    >
      <p>
        <strong>{item.title}</strong> will be deleted. This can be undone only for a moment.
      </p>
    </ConfirmedCall>
  );
}

type Fields = Pick<Item, 'title' | 'description'>;
/** An empty description is typed as a text and sent as none. */
type Typed = { title: string; description: string };

type ItemDialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  initial?: Fields;
  problems: (typed: Typed) => Record<string, string>;
  send: (fields: Fields) => Promise<Item>;
  /** What the toast says when it worked. */
  success: string;
  onSaved?: () => void;
};

/** Title and description, to add an item and to edit one. */
function ItemDialog({ initial, send, success, onSaved, ...dialog }: ItemDialogProps) {
  const readAgain = useReadItemsAgain();
  return (
    <FormDialog
      {...dialog}
      initialValues={{ title: initial?.title ?? '', description: initial?.description ?? '' }}
      send={({ title, description }) => send({ title, description: description.trim() === '' ? null : description })}
      meta={{ success }}
      onSent={() => {
        void readAgain();
        onSaved?.();
      }}
    >
      {(form) => (
        <>
          <TextInput label="Title" autoComplete="off" data-autofocus {...form.getInputProps('title')} />
          <Textarea label="Description" autosize minRows={3} maxRows={10} {...form.getInputProps('description')} />
        </>
      )}
    </FormDialog>
  );
}
