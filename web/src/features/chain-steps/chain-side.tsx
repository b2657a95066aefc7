import type { Order } from '@dutchbook/contract/orders.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import styles from './chain-steps.module.css';
import { PURPOSE_WORDS } from './chain-words.ts';
import { submissionsOfBatchQuery } from './submission-queries.ts';
import { SUBMISSION_SEARCH_DEFAULTS } from './submission-search.ts';

type ChainSideProps = Pick<Order, 'side' | 'batch_id'> & { stepId: string };

/** What the contracts do with the shares of an order, in place of its side; leads to the submission. */
export function ChainSide({ side, batch_id, stepId }: ChainSideProps) {
  const { data } = useQuery(submissionsOfBatchQuery(batch_id));
  const submission = data?.data.find(({ steps }) => steps.some(({ id }) => id === stepId));
  const words = submission === undefined ? 'On chain' : PURPOSE_WORDS[submission.purpose];
  const shown = <strong className={styles.side}>{side === 'buy' ? 'Received' : words}</strong>;
  if (submission === undefined)
    return (
      <Link to="/submissions" search={{ ...SUBMISSION_SEARCH_DEFAULTS, batchId: batch_id }}>
        {shown}
      </Link>
    );
  return (
    <Link to="/submissions/$submissionId" params={{ submissionId: submission.id }} title="Its submission">
      {shown}
    </Link>
  );
}
