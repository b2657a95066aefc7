import { JournalError } from './matching-engine/journal-file.ts';
import { RecordingError } from './replay/recording.ts';
import { readSettings, SettingError } from './settings.ts';
import { startExchange } from './start-exchange.ts';

// A failed write, as on a full disk, would otherwise end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

try {
  const exchange = await startExchange(readSettings(process.env));
  process.stdout.write(`${JSON.stringify({ listening: exchange.url })}\n`);
  const stop = () => void exchange.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

/** A configuration error is printed as one plain line; any other error keeps its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOSPC')
    return 'The disk is full, so the journal of the exchange takes no more: make room, then start again.';
  const isExpected = [SettingError, RecordingError, JournalError].some((kind) => error instanceof kind);
  return isExpected || 'code' in error ? error.message : (error.stack ?? error.message);
}
