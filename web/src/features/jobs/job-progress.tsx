import type { Job, JobKind } from '@dutchbook/contract/jobs.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { Progress } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useChanges, useTopic } from '../../live/live.ts';
import styles from './job-progress.module.css';

const TITLE: Record<JobKind, string> = { check_all: 'Checking all opportunities', update_prices: 'Updating prices' };
/** How long a finished job stays in sight. */
const FINISHED_SHOWN_MS = 5_000;

/** The background jobs that run now, of all users; `onFinished` reads again what they changed. */
export function JobProgress({ onFinished }: { onFinished: () => void }) {
  useTopic('jobs');
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  const takeIn = useCallback(
    (changes: readonly Change[]) => {
      const moved = changes.flatMap((change) => (change.type === 'job' ? [change.data] : []));
      if (moved.length === 0) return;
      setJobs((known) => latestPerKind([...known, ...moved]));
      if (moved.some(({ status }) => status !== 'running')) onFinished();
    },
    [onFinished],
  );
  useChanges(takeIn);
  useEffect(() => {
    if (!jobs.some(isFinished)) return;
    const timer = setTimeout(() => setJobs((known) => known.filter((job) => !isFinished(job))), FINISHED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [jobs]);
  return (
    <div className={styles.jobs}>
      {jobs.map((job) => (
        <JobLine key={job.id} job={job} />
      ))}
    </div>
  );
}

function JobLine({ job }: { job: Job }) {
  const { kind, status, done, total, message } = job;
  const title = TITLE[kind];
  return (
    <div className={styles.job} data-status={status} role="status">
      <p>
        <strong>{status === 'running' ? title : (message ?? title)}</strong> {done} of {total}
      </p>
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        color={status === 'failed' ? 'red' : 'teal'}
        size="sm"
        aria-label={title}
      />
    </div>
  );
}

const isFinished = ({ status }: Job) => status !== 'running';

/** One line per kind: the job that was started last, in its last state. */
export function latestPerKind(jobs: readonly Job[]): readonly Job[] {
  const latest = new Map<JobKind, Job>();
  for (const job of jobs) {
    const known = latest.get(job.kind);
    if (known === undefined || job.started_at >= known.started_at) latest.set(job.kind, job);
  }
  return [...latest.values()];
}
