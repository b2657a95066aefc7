import { verifyLedger } from '@dutchbook/contract/ledger.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import styles from './ledger.module.css';

const StateDialog = lazyDialog(() => import('./state-dialog.tsx').then((code) => code.StateDialog));

/** What superusers alone may do: ask whether anybody has tampered with it, and state what it lacks. */
export function LedgerActions() {
  const { data: me } = useQuery(currentUserQuery);
  const verify = useMutation({ mutationFn: () => call(verifyLedger, {}), meta: { changesNothing: true } });
  const [stating, setStating] = useState(false);
  if (me?.is_superuser !== true) return null;
  return (
    <>
      <div role="status">{verify.data && !verify.isPending && <Verdict of={verify.data} />}</div>
      <Button
        variant="default"
        leftSection={<Icon name="check" />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        Verify
      </Button>
      <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setStating(true)}>
        State a Difference
      </Button>
      <StateDialog opened={stating} onClose={() => setStating(false)} />
    </>
  );
}

type VerdictProps = { of: z.output<typeof verifyLedger.reply> };

function Verdict({ of: { intact, blocks, entries, head, broken_at } }: VerdictProps) {
  if (!intact)
    return (
      <p className={styles.verdict} data-tone="error">
        <Icon name="alert" size={16} />
        <strong>The ledger is broken: block {broken_at} is wrong or missing.</strong>
      </p>
    );
  return (
    <p className={styles.verdict} data-tone="success">
      <Icon name="check" size={16} />
      <strong>The ledger is intact.</strong>
      <span>
        {formatCount(entries)} entries in {formatCount(blocks)} {blocks === 1 ? 'block' : 'blocks'}
      </span>
      {head !== null && (
        <Copyable text={head} what="Last hash" mono>
          {head.slice(0, 12)}…
        </Copyable>
      )}
    </p>
  );
}
