import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { currentUserQuery } from '../../session/current-user.ts';

const AddRelationDialog = lazyDialog(() => import('./add-relation-dialog.tsx').then((code) => code.AddRelationDialog));

/** For superusers; nothing for others. */
export function AddRelationButton() {
  const { data: user } = useQuery(currentUserQuery);
  const [adding, setAdding] = useState(false);
  if (!user?.is_superuser) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
        Add Relation
      </Button>
      <AddRelationDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}
