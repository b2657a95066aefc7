import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { LostAnswer } from '../../calls/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import { LOST } from './lost-answer.ts';
import { useLossQuestion } from './sale-loss.ts';
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
  /** A large loss that it makes, in words. */
  loss: string | undefined;
  refreshing: boolean;
  executing: boolean;
  /** What executing would be while the answer to a sale is lost. */
  lostAnswer: LostAnswer | undefined;
  onRefresh: () => void;
  onExecute: () => void;
  onCancel: () => void;
};

const SELLING = 'Selling. The server finishes this even if you close the dialog or leave the page.';

/** A sale that is looked at, refreshed and then carried out. */
export function SaleForm(props: SaleFormProps) {
  const { children, execute, refusal, promise, loss, refreshing, executing, lostAnswer } = props;
  const stateId = useId();
  const { sell, question } = useLossQuestion({ loss, refusal, onSell: props.onExecute });
  const isUnknown = lostAnswer !== undefined && !executing && refusal === undefined;
  const state = executing ? SELLING : (refusal ?? (lostAnswer === undefined ? promise : LOST[lostAnswer]));
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
      <DealFoot
        stateId={stateId}
        state={state}
        isUnknown={isUnknown}
        risk={loss && <p className={styles.loss}>{loss}</p>}
      >
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
          {...(loss === undefined ? {} : { color: 'red' })}
          onClick={sell}
        >
          {execute}
        </Button>
      </DealFoot>
      {question}
    </form>
  );
}
