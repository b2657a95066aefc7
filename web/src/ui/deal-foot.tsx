import type { ReactNode } from 'react';
import styles from './deal-foot.module.css';

type DealFootProps = {
  /** Names the state for a button that it describes. */
  stateId?: string;
  /** What stands in the way, what is under way, or what pressing the button does. */
  state: ReactNode;
  /** The state in which the outcome is not known. */
  isUnknown?: boolean;
  /** What is at risk, above the rest. */
  risk?: ReactNode;
  /** What the deal is made at, beside the buttons. */
  terms?: ReactNode;
  /** The buttons. */
  children: ReactNode;
};

/** The end of a dialog that buys or sells: where it stands, and the buttons. */
export function DealFoot({ stateId, state, isUnknown = false, risk, terms, children }: DealFootProps) {
  return (
    <div className={styles.foot}>
      {risk}
      <div id={stateId} className={styles.state} role="status" data-unknown={isUnknown}>
        {state}
      </div>
      {terms}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
