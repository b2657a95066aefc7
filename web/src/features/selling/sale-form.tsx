import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { DealFoot } from '../../ui/deal-foot.tsx';
import styles from './selling.module.css';

type SaleFormProps = {
  /** The plan, above the buttons. */
  children: ReactNode;
  /** What the button that sells says. */
  execute: string;
  /** Why what is shown cannot be sold. */
  refusal: string | undefined;
  /** What pressing it does, said where nothing stands in its way. */
  promise: string;
  refreshing: boolean;
  executing: boolean;
  /** A sale was asked for and its answer was lost. */
  outcomeUnknown: boolean;
  onRefresh: () => void;
  onExecute: () => void;
  onCancel: () => void;
};

const SELLING = 'Selling. The server finishes this even if you close the dialog or leave the page.';
const UNKNOWN =
  'The answer was lost, so it is not known what was sold. Ask again: the server knows that it is the same sale, and sells nothing twice.';

/** A sale that is looked at, refreshed and then carried out. */
export function SaleForm(props: SaleFormProps) {
  const { children, execute, refusal, promise, refreshing, executing, outcomeUnknown } = props;
  const stateId = useId();
  const inDoubt = outcomeUnknown && !executing && refusal === undefined;
  const state = executing ? SELLING : (refusal ?? (outcomeUnknown ? UNKNOWN : promise));
  return (
    <form
      className={styles.sale}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!executing) props.onRefresh();
      }}
    >
      {children}
      <DealFoot stateId={stateId} state={state} inDoubt={inDoubt}>
        <Button variant="default" onClick={props.onCancel}>
          {executing ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" variant="default" loading={refreshing} disabled={executing}>
          Refresh Simulation
        </Button>
        <Button
          disabled={refusal !== undefined || refreshing}
          aria-describedby={stateId}
          loading={executing}
          onClick={props.onExecute}
        >
          {execute}
        </Button>
      </DealFoot>
    </form>
  );
}
