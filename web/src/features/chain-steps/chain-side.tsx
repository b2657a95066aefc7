import type { Order } from '@dutchbook/contract/orders.ts';
import { Link } from '@tanstack/react-router';
import styles from './chain-steps.module.css';
import { PURPOSE_WORDS } from './chain-words.ts';

/** What the contracts do with the shares of an order, in place of its side; leads to the submission. */
export function ChainSide({ of: { side, batch_id, submission_id, submission_purpose } }: { of: Order }) {
  const words = submission_purpose === null ? 'On chain' : PURPOSE_WORDS[submission_purpose];
  const shown = <strong className={styles.side}>{side === 'buy' ? 'Received' : words}</strong>;
  // An earlier version that still runs beside this one does not say which it is.
  if (submission_id === null)
    return (
      <Link to="/submissions" search={{ batchId: batch_id }}>
        {shown}
      </Link>
    );
  return (
    <Link to="/submissions/$submissionId" params={{ submissionId: submission_id }} title="Its submission">
      {shown}
    </Link>
  );
}
