import type { Order } from '@dutchbook/contract/orders.ts';
import { PAYS_BY_ITSELF, venueOf } from '@dutchbook/units/ids.ts';
import { Link } from '@tanstack/react-router';
import styles from './chain-steps.module.css';
import { submissionWords } from './chain-words.ts';

/** What the contracts do with the shares of an order, in place of its side; leads to the submission. */
export function ChainSide({ of: { side, batch_id, submission_id, submission_purpose, market_id } }: { of: Order }) {
  const venue = venueOf(market_id);
  const words =
    submission_purpose === null
      ? 'On chain'
      : submissionWords({ purpose: submission_purpose, by_venue: PAYS_BY_ITSELF[venue], venue });
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
