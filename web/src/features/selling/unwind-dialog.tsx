import type { Batch } from '@dutchbook/contract/batches.ts';
import type { UnwindSimulation } from '@dutchbook/contract/selling.ts';
import { formatUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { Button, Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { useOpening } from '../../calls/use-opening.ts';
import { type Simulated, useSimulation } from '../../calls/use-simulation.ts';
import { Changing } from '../../ui/changing.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Signed } from '../../ui/signed.tsx';
import { batchKey } from '../batches/batch-queries.ts';
import { executeUnwind, simulateUnwind } from './sale-calls.ts';
import { figuresOf } from './sale-figures.ts';
import { SaleForm } from './sale-form.tsx';
import { outcomeOf, useSaleLoss } from './sale-loss.ts';
import { SalePlan, WHAT_IS_SOLD, WHAT_IT_BRINGS } from './sale-plan.tsx';
import { SaleResult } from './sale-result.tsx';
import { rowOf, type SaleRow } from './sale-rows.ts';
import { stillSettling } from './sell-all-readiness.ts';
import { useFollowed } from './use-followed.ts';
import { useSale } from './use-sale.ts';

type UnwindDialogProps = { opened: boolean; batch: Batch; onClose: (isSubmitting: boolean) => void };

/** Shows the loss that selling what no whole set needs would make now, and then sells it. */
function UnwindDialog({ opened, batch, onClose }: UnwindDialogProps) {
  const { shown, isPending, isAwaited, simulate, follow } = useSimulation(
    (_asked: undefined) => simulateUnwind(batch.id),
    'Failed to simulate unwinding',
  );
  useEffect(() => simulate(undefined), [simulate]);
  const sale = useSale({
    reads: batchKey(batch.id),
    watched: opened,
    send: ({ simulation }: { simulation: UnwindSimulation }, idempotencyKey) =>
      executeUnwind(batch.id, { asked: {}, simulation }, idempotencyKey),
    failure: 'Failed to unwind',
  });
  const watched = opened && sale.result === undefined && !sale.isPending && sale.lostAnswerOf(undefined) === undefined;
  const outdated = useFollowed(shown, { watched, isPending, follow });
  const ready = shown !== undefined && 'simulation' in shown ? shown : undefined;
  const loss = useSaleLoss(ready && outcomeOf(ready.simulation));
  const close = () => onClose(sale.isPending);
  return (
    <Dialog opened={opened} title="Unwind" size="min(960px, 100%)" onClose={close} unsaved={false}>
      {sale.result === undefined ? (
        <SaleForm
          execute="Confirm Unwind"
          promise="Sells these shares at these sell prices or better. Whole sets are kept."
          loss={loss}
          refusal={unwindRefusal(shown) ?? outdated}
          refreshing={isAwaited}
          executing={sale.isPending}
          lostAnswer={sale.lostAnswerOf(ready)}
          onRefresh={() => simulate(undefined)}
          onExecute={() => ready !== undefined && sale.start(ready)}
          onCancel={close}
        >
          {shown === undefined ? (
            <Skeleton height={220} />
          ) : (
            <UnwindPlan batch={batch} shown={shown} current={!isAwaited} />
          )}
        </SaleForm>
      ) : (
        <SaleResult execution={sale.result.execution} planned={sale.result.sent.simulation.orders} onDone={close} />
      )}
    </Dialog>
  );
}

type Shown = Simulated<undefined, UnwindSimulation>;

function UnwindPlan({ batch: { unhedged }, shown, current }: { batch: Batch; shown: Shown; current: boolean }) {
  const sale = figuresOf(shown);
  const cost = 'simulation' in shown ? shown.simulation.unwind_cost_usd : null;
  return (
    <SalePlan<Row>
      figures={[
        { name: 'If you unwind now', value: <Outcome cost={cost} /> },
        { name: 'If the rest never fills', value: <Outcome cost={unhedged?.worst_loss_usd ?? null} /> },
        { name: 'Estimated Proceeds', value: formatUsd(sale.estimated_proceeds) },
        { name: 'Estimated Fees', value: formatUsd(sale.estimated_fees) },
      ]}
      sale={sale}
      columns={COLUMNS}
      rows={(unhedged?.positions ?? []).map((position) => ({
        ...rowOf(position, position.shares, sale.orders),
        atRisk: position.usd,
      }))}
      current={current}
    />
  );
}

/** A loss, or where it is below zero a gain. */
function Outcome({ cost }: { cost: Usd | null }) {
  if (cost === null) return 'Not known';
  const gain = -cost as Usd;
  return <Signed value={gain}>{formatUsd(gain)}</Signed>;
}

/** Why it cannot be unwound now; `undefined` when the loss is on screen. */
function unwindRefusal(shown: Shown | undefined): string | undefined {
  if (shown === undefined) return 'Working out what this loses.';
  if ('error' in shown) return 'It is not known what this loses. Refresh the simulation to try again.';
  const { errors, settling, unwind_cost_usd } = shown.simulation;
  if (errors.length > 0 && settling.length > 0) return stillSettling(shown.late);
  if (errors.length > 0) return 'Nothing can be sold while there are errors.';
  return unwind_cost_usd === null ? 'It is not known what this loses.' : undefined;
}

type Row = SaleRow & { atRisk: Usd };

const COLUMNS: readonly Column<Row>[] = [
  ...WHAT_IS_SOLD,
  { key: 'risk', header: 'At Risk', align: 'end', cell: ({ atRisk }) => formatUsd(atRisk) },
  ...WHAT_IT_BRINGS,
  {
    key: 'outcome-usd',
    header: 'Gain or Loss',
    align: 'end',
    // Shares without bids are lost whole.
    cell: ({ sale, atRisk }) => (
      <Outcome cost={subtractUsd(atRisk, sale === undefined ? USD_ZERO : subtractUsd(sale.proceeds, sale.fee))} />
    ),
  },
];

/** Sells the shares of a batch that no whole set needs, once the loss that this makes has been looked at. */
export function UnwindButton({ batch }: { batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      <Changing>
        <Button variant="default" onClick={open}>
          Unwind
        </Button>
      </Changing>
      {opening > 0 && <UnwindDialog key={opening} opened={opened} batch={batch} onClose={close} />}
    </>
  );
}
