/** What the database refused a statement for. */

export function violates(error: unknown, constraint: string): boolean {
  const cause = thrownByDriver(error);
  return cause !== null && 'constraint' in cause && cause.constraint === constraint;
}

const DEADLOCK_DETECTED = '40P01';

export function isDeadlock(error: unknown): boolean {
  const cause = thrownByDriver(error);
  return cause !== null && 'code' in cause && cause.code === DEADLOCK_DETECTED;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a lock was not had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  const cause = thrownByDriver(error);
  return cause !== null && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}

/** What a list, a figure or a slice of a file may take the database. */
export const READ_WITHIN_MS = 15_000;

const QUERY_CANCELED = '57014';

/** Whether the database has ended a statement that took longer than it may. */
export function tookTooLong(error: unknown): boolean {
  const cause = thrownByDriver(error);
  return cause !== null && 'code' in cause && cause.code === QUERY_CANCELED;
}

/** The drivers name constraint and SQLSTATE on the error they throw, which drizzle wraps. */
function thrownByDriver(error: unknown): Error | null {
  return error instanceof Error && error.cause instanceof Error ? error.cause : null;
}
