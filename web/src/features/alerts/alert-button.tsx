import type { Percent } from '@dutchbook/units/percent.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

export const LazyAlertDialog = lazyDialog(() => import('./alert-dialog.tsx').then((code) => code.AlertDialog));

type AlertButtonProps = { id: string; name: string; profit: Percent | null; active: boolean };

/** For viewers too: an alert changes nothing but what its owner is notified of. */
export function AlertButton({ id, ...shown }: AlertButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="bell" />} onClick={() => setOpened(true)}>
        Alert Me
      </Button>
      <LazyAlertDialog {...shown} opened={opened} opportunityId={id} onClose={() => setOpened(false)} />
    </>
  );
}
