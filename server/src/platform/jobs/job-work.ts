/** What a job was asked to do. */
export type JobData = { active_only: boolean };

export type JobRun = {
  /** Publishes the progress. */
  progress: (done: number, total: number) => void;
  /** Aborted when the process stops: the work ends soon and is taken up again by the next process. */
  signal: AbortSignal;
};

/** Does the work and returns the sentence that reports it. May run again after a restart. */
export type JobWork = (data: JobData, run: JobRun) => Promise<string>;
