import { TextInput } from '@mantine/core';
import { FormDialog } from '../forms/form-dialog.tsx';
import { changeListSettings, type ListName, useListSettings, VIEW_NAME_LENGTH_MAX } from './list-settings.ts';

type SaveViewDialogProps = {
  opened: boolean;
  list: ListName;
  search: Record<string, unknown>;
  onClose: () => void;
};

/** Gives what a list is narrowed to, and its order, a name to find it by. */
export function SaveViewDialog({ list, search, ...dialog }: SaveViewDialogProps) {
  const { views } = useListSettings(list);
  const problems = ({ name }: { name: string }): Record<string, string> => {
    if (name.trim() === '') return { name: 'Name is required' };
    return views.some((view) => view.name === name.trim()) ? { name: 'There is a view of this name' } : {};
  };
  return (
    <FormDialog
      {...dialog}
      title="Save View"
      size="sm"
      initialValues={{ name: '' }}
      problems={problems}
      send={async ({ name }) => changeListSettings(list, { views: [...views, { name: name.trim(), search }] })}
      meta={{ changesNothing: true }}
    >
      {(form) => (
        <TextInput
          data-autofocus
          label="Name"
          description="Filters and order are saved in this browser. The address of the page holds them, too."
          maxLength={VIEW_NAME_LENGTH_MAX}
          {...form.getInputProps('name')}
        />
      )}
    </FormDialog>
  );
}
