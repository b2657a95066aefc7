import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import type { Unnamed } from './name-dialog.tsx';

const NameDialog = lazyDialog(() => import('./name-dialog.tsx').then((code) => code.NameDialog));

/** A superuser says what dollars of unknown origin are; for other users: not named yet. */
export function NameDollars(unnamed: Unnamed) {
  const { data: me } = useQuery(currentUserQuery);
  const [naming, setNaming] = useState(false);
  if (me?.is_superuser !== true) return <span className="hint">A superuser says what they are.</span>;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setNaming(true)}>
        Name These Dollars
      </Button>
      <NameDialog opened={naming} onClose={() => setNaming(false)} {...unnamed} />
    </>
  );
}
