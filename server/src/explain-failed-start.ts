import { OtherWorld } from './installation/claim.ts';
import { ConfigError } from './platform/config/config.ts';
import { DatabaseTooOld } from './platform/database/migrations.ts';
import { FolderInUse } from './platform/database/own-postgres/folder-lock.ts';
import { NoOwnPostgres } from './platform/database/own-postgres/no-own-postgres.ts';
import { UnfinishedCopy } from './platform/database/unfinished-copy.ts';
import { withoutParameters } from './platform/runtime/log.ts';

const MENDABLE = [ConfigError, DatabaseTooOld, FolderInUse, NoOwnPostgres, OtherWorld, UnfinishedCopy];

/** One plain line for what an operator can mend; anything else keeps its stack, and no secret of a failed statement. */
export function explainFailedStart(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { message, stack } = withoutParameters(error);
  return 'code' in error ? message : stack;
}
