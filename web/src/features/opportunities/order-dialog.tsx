import { type Opportunity, type Simulation, simulateOrders } from '@dutchbook/contract/opportunities.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import styles from './order-dialog.module.css';
import { OrderPlan } from './order-plan.tsx';
import { readOrderSize } from './order-size.ts';
import { PlaceButtons } from './place-buttons.tsx';
import { placingRefusal } from './placing-rule.ts';

export type OrderIntent = 'simulate' | 'place';

type OrderDialogProps = {
  opened: boolean;
  opportunity: Opportunity;
  /** `undefined` while the dialog is closed. */
  intent: OrderIntent | undefined;
  onIntent: (intent: OrderIntent) => void;
  onClose: () => void;
};

/** Shows what an order would buy before it is placed, from the same plan the server would send. */
export function OrderDialog({ opened, opportunity, intent, onIntent, onClose }: OrderDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={intent === 'place' ? 'Place Order' : 'Simulate Order'}
      size="min(960px, 100%)"
      unsaved={false}
    >
      {intent !== undefined && (
        <OrderTicket opportunity={opportunity} intent={intent} onIntent={onIntent} onClose={onClose} />
      )}
    </Dialog>
  );
}

type OrderTicketProps = Omit<OrderDialogProps, 'opened' | 'intent'> & { intent: OrderIntent };

function OrderTicket({ opportunity, intent, onIntent, onClose }: OrderTicketProps) {
  const [sizeText, setSizeText] = useState('');
  const size = readOrderSize(sizeText);
  const simulation = useSimulation(opportunity.id, intent === 'simulate');
  const { mutate: simulate } = simulation;
  useEffect(() => simulate({ sizeText: '', size: undefined }), [simulate]);
  const refresh = () => {
    if (!('error' in size)) simulate({ sizeText, size: size.shares });
  };
  const isAsked = simulation.variables?.sizeText === sizeText;
  const isCurrent = isAsked && !simulation.isPending;
  const refusal = placingRefusal(opportunity);
  return (
    <form
      className={styles.ticket}
      onSubmit={(event) => {
        event.preventDefault();
        refresh();
      }}
    >
      <SizeField
        text={sizeText}
        problem={'error' in size ? size.error : undefined}
        refreshing={isAsked && simulation.isPending}
        onText={setSizeText}
      />
      {simulation.data === undefined ? (
        simulation.isPending && <Skeleton height={220} />
      ) : (
        <OrderPlan simulation={simulation.data} current={isCurrent} />
      )}
      {intent === 'place' ? (
        <PlaceButtons
          opportunity={opportunity}
          simulation={isCurrent ? simulation.data : undefined}
          size={'error' in size ? undefined : size.shares}
          refusal={refusal}
          onClose={onClose}
        />
      ) : (
        <ButtonRow>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={refusal !== undefined} onClick={() => onIntent('place')}>
            Review Order
          </Button>
        </ButtonRow>
      )}
    </form>
  );
}

type SizeFieldProps = {
  text: string;
  problem: string | undefined;
  refreshing: boolean;
  onText: (text: string) => void;
};

function SizeField({ text, problem, refreshing, onText }: SizeFieldProps) {
  return (
    <div className={styles.size}>
      <TextInput
        label="Order Size"
        description="Shares of each position. Left empty: the smallest size that every market allows."
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        error={problem}
        data-autofocus
      />
      <Button type="submit" variant="default" loading={refreshing}>
        Refresh Simulation
      </Button>
    </div>
  );
}

type Asked = { sizeText: string; size: Shares | undefined };

function useSimulation(id: string, announced: boolean) {
  return useMutation<Simulation, Error, Asked>({
    mutationFn: ({ size }) =>
      call(simulateOrders, {
        params: { opportunity_id: id },
        query: size === undefined ? {} : { order_size: size },
      }),
    onSuccess: () => {
      if (announced) toastSuccess('Order simulation completed');
    },
    meta: { failure: 'Failed to simulate order', changesNothing: true },
  });
}
