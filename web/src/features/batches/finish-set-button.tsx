import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Changing } from '../../ui/changing.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useFinishSet } from './batch-actions.ts';

type Finish = NonNullable<NonNullable<Batch['unhedged']>['finish']>;

/** Buys what the sets of a batch lack, once what that costs and then pays has been looked at. */
export function FinishSetButton({ batch }: { batch: Batch }) {
  const [asked, setAsked] = useState<{ finish: Finish; opened: boolean } | null>(null);
  const close = () => setAsked((last) => last && { ...last, opened: false });
  const finishing = useFinishSet(close);
  const { unhedged } = batch;
  const finish = unhedged?.finish ?? null;
  return (
    <>
      {unhedged?.can_finish === true && finish !== null && (
        <Changing>
          <Button
            variant="default"
            loading={finishing.isPending}
            disabled={unhedged?.cheaper === 'unwind'}
            title={unhedged?.cheaper === 'unwind' ? 'Unwinding loses less' : undefined}
            onClick={() => setAsked({ finish, opened: true })}
          >
            Finish the Set
          </Button>
        </Changing>
      )}
      {asked !== null && (
        <ConfirmDialog
          opened={asked.opened}
          title="Finish the Set"
          confirm="Confirm Finish the Set"
          onConfirm={() => finishing.start({ id: batch.id, upTo: asked.finish.at_most_usd })}
          pending={finishing.isPending}
          onClose={close}
        >
          <p>
            What is missing costs <strong>{formatUsd(asked.finish.cost_usd)}</strong> with fees, and no more than{' '}
            <strong>{formatUsd(asked.finish.at_most_usd)}</strong>. The sets then pay{' '}
            <strong>{formatUsd(asked.finish.pays_usd)}</strong>.
          </p>
          <p>{resultOf(asked.finish)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function resultOf({ loss_usd }: Finish): string {
  const all = 'With what the unhedged shares cost, this';
  return loss_usd > 0
    ? `${all} loses ${formatUsd(loss_usd)}.`
    : `${all} makes ${formatUsd(-loss_usd as typeof loss_usd)}.`;
}
