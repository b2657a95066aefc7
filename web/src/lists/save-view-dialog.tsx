import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { changeListSettings, type ListName, useListSettings, VIEW_NAME_LENGTH_MAX } from './list-settings.ts';

type SaveViewDialogProps = {
  opened: boolean;
  list: ListName;
  search: Record<string, unknown>;
  onClose: () => void;
};

/** Gives what a list is narrowed to, and its order, a name to find it by. */
export function SaveViewDialog({ opened, list, search, onClose }: SaveViewDialogProps) {
  return (
    <Dialog opened={opened} title="Save View" onClose={onClose} size="sm">
      <SaveViewForm list={list} search={search} onClose={onClose} />
    </Dialog>
  );
}

function SaveViewForm({ list, search, onClose }: Omit<SaveViewDialogProps, 'opened'>) {
  const { views } = useListSettings(list);
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const save = () => {
    const given = name.trim();
    if (given === '') return setError('Name is required');
    if (views.some((view) => view.name === given)) return setError('There is a view of this name');
    changeListSettings(list, { views: [...views, { name: given, search }] });
    onClose();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="Filters and order are saved in this browser. The address of the page holds them, too."
        maxLength={VIEW_NAME_LENGTH_MAX}
        value={name}
        error={error}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <FormButtons sending={false} onCancel={onClose} />
    </form>
  );
}
