import { OtherWorld } from './installation/claim.ts';
import { TakenPort } from './installation/taken-port.ts';
import { ConfigError } from './platform/config/config.ts';
import { DatabaseTooOld } from './platform/database/migrations.ts';
import { FolderInUse } from './platform/database/own-postgres/folder-lock.ts';
import { NoOwnPostgres } from './platform/database/own-postgres/no-own-postgres.ts';
import { UnfinishedCopy } from './platform/database/unfinished-copy.ts';
import { withoutParameters } from './platform/runtime/log.ts';

const MENDABLE = [ConfigError, DatabaseTooOld, FolderInUse, NoOwnPostgres, OtherWorld, TakenPort, UnfinishedCopy];

/** As the system and as PostgreSQL say it. */
const DISK_FULL = ['ENOSPC', 'EDQUOT', '53100'];

/** One plain line for what an operator can mend; anything else keeps its stack, and no secret of a failed statement. */
export function explainFailedStart(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (isDiskFull(error)) return 'The disk is full, so the data folder takes no more: make room, then start again.';
  const { message, stack } = withoutParameters(error);
  return 'code' in error ? message : stack;
}

function isDiskFull(error: Error): boolean {
  if ('code' in error && DISK_FULL.includes(String(error.code))) return true;
  return error.cause instanceof Error && isDiskFull(error.cause);
}
