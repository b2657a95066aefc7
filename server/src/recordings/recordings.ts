import path from 'node:path';
import type { RecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import type { TokenBooks } from '../prices/quotes/quotes.ts';
import type { Runtime } from '../runtime.ts';
import { type RecorderState, startRecorder } from './recorder.ts';
import { openStatusReader } from './status.ts';

export type Recordings = {
  folder: string;
  status: () => Promise<RecordingsStatus>;
  /** Null where this process does not record. */
  recorder: () => RecorderState | null;
  stop: () => Promise<void>;
};

/** An engine records the books that it follows; other processes only say what is kept. */
export function openRecordings(
  runtime: Pick<Runtime, 'config' | 'clock' | 'timers' | 'random' | 'log'>,
  tokens: TokenBooks,
): Recordings {
  const { dataDir, venueMode, recording: limits, roles } = runtime.config;
  const { venue } = modeOf(venueMode);
  const folder = path.join(dataDir, 'recordings', venue);
  const isHere = limits.isOn && roles.has('engine');
  const recorder = isHere ? startRecorder(runtime, { folder, venue, tokens, limits }) : null;
  const readStatus = openStatusReader(folder);
  const stateOf = (state: RecorderState | null): RecordingsStatus['state'] => {
    if (state !== null) return state.interrupted === null ? 'recording' : 'interrupted';
    return limits.isOn ? 'elsewhere' : 'off';
  };
  return {
    folder,
    status: async () => {
      const state = recorder?.state() ?? null;
      return { state: stateOf(state), ...(await readStatus(runtime.clock.now(), limits, state)) };
    },
    recorder: () => recorder?.state() ?? null,
    stop: async () => await recorder?.stop(),
  };
}
