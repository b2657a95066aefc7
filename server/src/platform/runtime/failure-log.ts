import type { Logger } from 'pino';

/** For work that is tried again and again: of failures in a row the first is logged, and that they are over. */
export type FailureLog = { failed: (error: unknown) => void; succeeded: () => void };

/** `event` says what failed, in the past tense. */
export function openFailureLog(log: Logger, level: 'warn' | 'error', event: string): FailureLog {
  let failures = 0;
  return {
    failed: (error) => {
      if (failures === 0) log[level]({ err: error }, event);
      failures += 1;
    },
    succeeded: () => {
      if (failures > 0) log.info({ failures }, `${event}, recovered`);
      failures = 0;
    },
  };
}
