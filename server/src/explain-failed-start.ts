import { ConfigError } from './world/config.ts';
import { FolderInUse } from './world/folder-lock.ts';
import { withoutParameters } from './world/log.ts';
import { UnfinishedCopy } from './world/unfinished-copy.ts';

const MENDABLE = [ConfigError, FolderInUse, UnfinishedCopy];

/** One plain line for what an operator can mend; anything else keeps its stack, and no secret of a failed statement. */
export function explainFailedStart(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { message, stack } = withoutParameters(error);
  return 'code' in error ? message : stack;
}
