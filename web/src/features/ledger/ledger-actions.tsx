import { verifyLedger } from '@dutchbook/contract/ledger.ts';
import { VENUE_MODES } from '@dutchbook/contract/status.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { Verdict } from '../audit/verdict.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { useSystemStatus } from '../status/system-status.ts';

const PaperDialog = lazyDialog(() => import('./paper-dialog.tsx').then((code) => code.PaperDialog));
const StartOverDialog = lazyDialog(() => import('../runs/start-over-dialog.tsx').then((code) => code.StartOverDialog));
const StateDialog = lazyDialog(() => import('./state-dialog.tsx').then((code) => code.StateDialog));

/** What superusers alone may do: check whether the ledger was tampered with, and state what it lacks. */
export function LedgerActions() {
  const { data: me } = useQuery(currentUserQuery);
  const verify = useMutation({ mutationFn: () => call(verifyLedger, {}), meta: { changesNothing: true } });
  const status = useSystemStatus();
  const isOnPaper = status !== undefined && VENUE_MODES[status.venue].world === 'paper';
  const [stating, setStating] = useState(false);
  const [moving, setMoving] = useState(false);
  const [startingOver, setStartingOver] = useState(false);
  if (me?.is_superuser !== true) return null;
  return (
    <>
      <div role="status">{verify.data && !verify.isPending && <Verdict {...verdictOf(verify.data)} />}</div>
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
      {isOnPaper && (
        <Button variant="default" onClick={() => setMoving(true)}>
          Deposit or Withdraw
        </Button>
      )}
      {isOnPaper && (
        <Button variant="default" onClick={() => setStartingOver(true)}>
          Start Over
        </Button>
      )}
      <PaperDialog opened={moving} onClose={() => setMoving(false)} />
      <StartOverDialog opened={startingOver} onClose={() => setStartingOver(false)} />
      <StateDialog opened={stating} onClose={() => setStating(false)} />
    </>
  );
}

function verdictOf({ intact, blocks, entries, head, broken_at }: z.output<typeof verifyLedger.reply>) {
  const broken = intact ? null : `block ${broken_at}`;
  const extent = `${formatCount(entries)} entries in ${formatCount(blocks)} ${blocks === 1 ? 'block' : 'blocks'}`;
  return { what: 'The ledger', broken, extent, head };
}
