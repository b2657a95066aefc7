/** The notifications of a submission to the chain, recorded in the transaction in which it becomes true. */
import type { SubmissionPurpose } from '@dutchbook/contract/chain-steps.ts';
import { formatUsd, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { SQL } from 'drizzle-orm';
import { type NewNotification, recordNotification } from '../../people/notifications/record.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { isKnownToFail } from './failures.ts';
import { changeSubmission, readSubmission, type Submission, type SubmissionRow } from './store.ts';

type SubmissionAlarm = 'submission_failed' | 'submission_unknown' | 'submission_differs';

type NotifiedChange = {
  changes: Partial<SubmissionRow>;
  /** Holds for the row as it was seen. */
  seen: SQL | undefined;
  type: SubmissionAlarm | null;
  also?: (tx: Db) => Promise<void>;
};

/** Changes a submission that is as it was seen, does what else belongs to that, and, unless `type` is null, tells of it; nothing where it is not. @returns whether it did */
export async function changeAndNotify(
  runtime: Pick<Runtime, 'clock' | 'db' | 'pubsub' | 'random'>,
  id: string,
  { changes, seen, type, also }: NotifiedChange,
): Promise<boolean> {
  return await runtime.db.transaction(async (tx) => {
    if (!(await changeSubmission(tx, id, changes, seen))) return false;
    const submission = await readSubmission(tx, id);
    if (type !== null && submission !== null && !(await isRepeated(tx, type, submission)))
      await recordNotification(tx, runtime, notificationOf(type, submission.row));
    await also?.(tx);
    return true;
  });
}

/** Only the first failure of an automatically retried request is notified. */
async function isRepeated(tx: Db, type: SubmissionAlarm, submission: Submission): Promise<boolean> {
  return type === 'submission_failed' && (await isKnownToFail(tx, submission));
}

const SENTENCES: Record<SubmissionAlarm, string> = {
  submission_failed: 'has failed: nothing of it was carried out.',
  submission_differs: 'is booked by what it moved, which is not what was planned.',
  submission_unknown:
    'stays unknown: there is no proof yet whether it was carried out. It is looked up until that is proven, and no other is sent before.',
};

/** Text for a submission that was given up. */
const GIVEN_UP =
  'is not carried out by the relayer. Others are sent again, the next with its nonce; until that is used it still may be carried out, and its shares stay reserved. If there is no other within ten minutes, a call that changes nothing uses it.';

/** Said of a submission of which it is known where it stands. */
const WAITS =
  'is in no block ten minutes after it was sent. It is looked up until it is, or cannot be any more, and no other is sent before.';

/** Text for a submission that moved dollars, but nothing that was asked for. */
const MOVED_OTHER = 'has failed: nothing of it is booked.';

function notificationOf(type: SubmissionAlarm, row: SubmissionRow): NewNotification {
  const { id, purpose, status, batchIds, expected, received, automatic, requestedBy, hash, error } = row;
  const asked = requestedBy === null ? '' : `, asked for by ${requestedBy},`;
  const reason = error === null ? '' : ` ${error}`;
  const isWaiting = type === 'submission_unknown' && status === 'sent';
  const isOther = type === 'submission_failed' && received !== null && received !== 0;
  const isGivenUp = type === 'submission_unknown' && row.givenUpAt !== null;
  const sentence = isGivenUp ? GIVEN_UP : isWaiting ? WAITS : isOther ? MOVED_OTHER : SENTENCES[type];
  return {
    type,
    opportunityId: null,
    message: `${subjectOf(purpose, expected)}${asked} ${sentence}${reason}`,
    data: {
      submission_id: id,
      purpose,
      status,
      batch_ids: batchIds,
      expected_usd: usdToNumber(expected),
      automatic,
      requested_by: requestedBy,
      hash,
      error,
    },
  };
}

function subjectOf(purpose: SubmissionPurpose, expected: Usd): string {
  switch (purpose) {
    case 'cash_now':
      return `Cash Now of ${formatUsd(expected)}`;
    case 'redeem':
      return `The redemption of ${formatUsd(expected)}`;
    case 'close':
      return `The end of the run, for ${formatUsd(expected)},`;
    case 'split':
      return `The split of ${formatUsd(-expected as Usd)}`;
    case 'approval':
      return 'An approval';
  }
}
