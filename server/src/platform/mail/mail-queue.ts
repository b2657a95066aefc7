/** Mail that a call asks for waits in the job queue: it is asked for or not together with the call's other writes. */
import { sql } from 'drizzle-orm';
import { type DrizzleTransactionLike, fromDrizzle, type JobWithMetadata } from 'pg-boss';
import type { Queue } from '../jobs/queue.ts';
import type { Db, Runtime } from '../runtime/runtime.ts';

const QUEUE = 'mail';

/** Backing off from seconds to ten minutes, for about an hour: longer than a mail server is down for or makes strangers wait. */
const RETRIES = 12;
const RETRY_AFTER_SECONDS = 2;
const RETRY_AFTER_SECONDS_MAX = 600;
const HEARTBEAT_SECONDS = 10;
const POLL_SECONDS = 1;
const KEEP_FINISHED_SECONDS = 3600;

/**
 * A mail to be written when it is next in the queue. `password_recovery`: asked for to which email, and from which address. `alert`: the
 * notification that the owner of the email asked for.
 */
export type QueuedMail =
  | { letter: 'password_recovery'; email: string; address: string }
  | { letter: 'alert'; email: string; notificationId: string };

/** Writes and sends it. May run again after an error or a restart. Aborted when the process stops. */
export type MailWork = (mail: QueuedMail, signal: AbortSignal) => Promise<void>;

export type MailQueue = {
  /** Sent after the transaction `tx` commits, and only then. */
  add: (tx: Db, mail: QueuedMail) => Promise<void>;
};

export async function openMailQueue({ boss }: Queue, { random }: Pick<Runtime, 'random'>): Promise<MailQueue> {
  await boss.createQueue(QUEUE, {
    retryLimit: RETRIES,
    retryDelay: RETRY_AFTER_SECONDS,
    retryBackoff: true,
    retryDelayMax: RETRY_AFTER_SECONDS_MAX,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
  });
  // The boss looks a queue up at its first use. Within a transaction that would take a second connection.
  await boss.findJobs(QUEUE, { id: random.uuid() });
  return {
    add: async (tx, mail) => {
      await boss.send(QUEUE, mail, { id: random.uuid(), db: fromDrizzle(tx as DrizzleTransactionLike, sql) });
    },
  };
}

/**
 * From now on does the `work` of queued mails, one after the other. It looks for them in its own time and is never woken
 * by the call that queued one, so that how long calls take says nothing about whether there was a mail to write.
 */
export async function startMailing(
  { boss, stopping }: Queue,
  { log }: Pick<Runtime, 'log'>,
  work: MailWork,
): Promise<void> {
  const options = { batchSize: 1, includeMetadata: true, pollingIntervalSeconds: POLL_SECONDS } as const;
  await boss.work<QueuedMail, void, typeof options>(QUEUE, options, async ([job]) => {
    if (job) await runWork(job, work, stopping, log);
  });
}

/** What the work throws is the queue's to retry. */
async function runWork(
  { id, data, retryCount, retryLimit }: JobWithMetadata<QueuedMail>,
  work: MailWork,
  signal: AbortSignal,
  log: Runtime['log'],
): Promise<void> {
  try {
    await work(data, signal);
  } catch (error) {
    const isLast = retryCount >= retryLimit && !signal.aborted;
    if (isLast) log.error({ err: error, job: id }, 'mail not sent, given up');
    else log.warn({ err: error, job: id, retryCount }, 'mail not sent, repeated');
    throw error;
  }
}
