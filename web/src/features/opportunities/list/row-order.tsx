import { Button } from '@mantine/core';
import { createContext, memo, type ReactNode, use, useCallback, useState } from 'react';
import { ChangeRefusal } from '../../../ui/changing.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { useAsked } from '../../../ui/use-asked.ts';
import { useShortcuts } from '../../../ui/use-shortcuts.ts';
import { LazyAlertDialog } from '../../alerts/alert-button.tsx';
import { useIsReplay } from '../../status/replay-look.tsx';
import styles from '../opportunity-columns.module.css';
import { useOpportunity } from '../opportunity-queries.ts';
import type { OrderIntent } from '../order-dialog.tsx';

const OrderDialog = lazyDialog(() => import('../order-dialog.tsx').then((code) => code.OrderDialog));

const PlacingContext = createContext<(id: string) => void>(() => {});

const AlertingContext = createContext<(id: string) => void>(() => {});

/** Opens the alert of the opportunity of a row. */
export const useAlerting = () => use(AlertingContext);

/** Opens the order of the opportunity of a row. */
export const usePlacing = () => use(PlacingContext);

/** A list whose rows can be placed, from the row and by `p` on the row that has the focus. */
export function PlacingFromRows({ children }: { children: ReactNode }) {
  const [id, setId] = useState<string>();
  const refusal = use(ChangeRefusal);
  const isReplay = useIsReplay();
  const place = useCallback((asked: string) => setId(asked), []);
  const { asked, ask, close } = useAsked<string>();
  const placeFocused = () => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-id]')?.dataset.id;
    if (focused !== undefined && refusal === undefined && !isReplay) setId(focused);
  };
  useShortcuts({ p: placeFocused });
  return (
    <PlacingContext value={place}>
      <AlertingContext value={ask}>{children}</AlertingContext>
      {asked !== undefined && <RowAlert key={asked.about} id={asked.about} opened={asked.opened} onClose={close} />}
      {id !== undefined && <RowOrder key={id} id={id} onClose={() => setId(undefined)} />}
    </PlacingContext>
  );
}

/** The order dialog of the page of an opportunity, over the list. */
function RowOrder({ id, onClose }: { id: string; onClose: () => void }) {
  const { opportunity } = useOpportunity(id);
  const [intent, setIntent] = useState<OrderIntent>('place');
  if (opportunity === undefined) return null;
  return <OrderDialog opened opportunity={opportunity} intent={intent} onIntent={setIntent} onClose={onClose} />;
}

function RowAlert({ id, opened, onClose }: { id: string; opened: boolean; onClose: () => void }) {
  const { opportunity } = useOpportunity(id);
  if (opportunity === undefined) return null;
  const { name, profit_percentage: profit, active } = opportunity;
  return <LazyAlertDialog {...{ name, profit, active, opened, onClose }} opportunityId={id} />;
}

type PlaceButtonProps = { id: string; name: string; isPlaceable: boolean };

/** Button of a paying row, for users who may place it. */
export const PlaceButton = memo(function PlaceButton({ id, name, isPlaceable }: PlaceButtonProps) {
  const place = usePlacing();
  const isHidden = use(ChangeRefusal) !== undefined;
  const isReplay = useIsReplay();
  if (isHidden || isReplay) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={styles.place}
      style={isPlaceable ? undefined : { visibility: 'hidden' }}
      aria-label={`Place ${name}`}
      onClick={() => place(id)}
    >
      Place
    </Button>
  );
});
