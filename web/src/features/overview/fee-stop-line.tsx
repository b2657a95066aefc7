import type { FeeStop } from '@dutchbook/contract/fee-stops.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import styles from './attention.module.css';

const ClearFeeStopDialog = lazyDialog(() =>
  import('./clear-fee-stop-dialog.tsx').then((code) => code.ClearFeeStopDialog),
);

/** What was found of a fee; a superuser who has looked has it bought automatically again. */
export function FeeStopLine({ of: stop }: { of: FeeStop }) {
  const { data: user } = useQuery(currentUserQuery);
  const [opened, setOpened] = useState(false);
  return (
    <li className={styles.stop}>
      <span>{stop.message}</span>
      {user?.is_superuser && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Clear the stop of “${stop.category}”`}
          onClick={() => setOpened(true)}
        >
          Clear
        </Button>
      )}
      <ClearFeeStopDialog opened={opened} stop={stop} onClose={() => setOpened(false)} />
    </li>
  );
}
