import path from 'node:path';
import type { RecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { TokenBooks } from '../../market/prices/quotes/quotes.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Clock, Runtime } from '../../platform/runtime/runtime.ts';
import { startFlightRecorder } from './flight-recorder/record-batches.ts';
import { startMeasuringRecorded } from './flight-recorder/recorded-depth.ts';
import { openRecordedUntil } from './flight-recorder/recorded-until.ts';
import { startReadingHoursWorth } from './kept/hours-worth.ts';
import { NOTHING_WORTH } from './kept/what-goes.ts';
import { type OpenWriter, startRecorder } from './recorder.ts';
import { openStatusReader } from './status.ts';
import type { RecorderState } from './writer.ts';

export type Recordings = {
  venue: string;
  folder: string;
  /** Whether books are recorded, here or by the engines beside. */
  isOn: boolean;
  /** Up to which moment it is known how books stood. */
  recordedUntil: () => Promise<Instant>;
  status: () => Promise<RecordingsStatus>;
  /** Null where this process does not record. */
  recorder: () => RecorderState | null;
  stop: () => Promise<void>;
};

/** An engine records the books that it follows, and keeps those around its batches; other processes only say what is kept. */
export function openRecordings(
  runtime: Pick<Runtime, 'config' | 'db' | 'clock' | 'timers' | 'random' | 'log'>,
  tokens: TokenBooks,
  partitions: Pick<Partitions, 'held'>,
  /** `clock`: when changes arrive. `openWriter`: where that is not done here. */
  { clock = runtime.clock, openWriter }: { clock?: Clock; openWriter?: OpenWriter } = {},
): Recordings {
  const { dataDir, venueMode, recording: limits, roles } = runtime.config;
  const { keptUnder: venue } = modeOf(venueMode);
  const folder = path.join(dataDir, 'recordings', venue);
  const isHere = limits.isOn && roles.has('engine');
  const { days, batchesMaxBytes: maxBytes } = limits;
  const batches = isHere ? startFlightRecorder(runtime, { folder, venue, days, maxBytes, partitions }) : null;
  const neededSince = () => batches?.neededSince() ?? null;
  const hours = isHere ? startReadingHoursWorth(runtime, days) : null;
  const worth = () => hours?.current() ?? NOTHING_WORTH;
  const recorder = isHere
    ? startRecorder({ ...runtime, clock }, { folder, venue, tokens, limits, neededSince, worth }, openWriter)
    : null;
  const recordedUntil = openRecordedUntil(folder, () => recorder?.state() ?? null);
  const untilNow = () => recordedUntil(runtime.clock.now());
  const measuring = { folder, venue, days, partitions, recordedUntil: untilNow };
  const depth = isHere ? startMeasuringRecorded(runtime, measuring) : null;
  const readStatus = openStatusReader(folder);
  const stateOf = (state: RecorderState | null): RecordingsStatus['state'] => {
    if (state !== null) return state.interrupted === null ? 'recording' : 'interrupted';
    return limits.isOn ? 'elsewhere' : 'off';
  };
  return {
    venue,
    folder,
    isOn: limits.isOn,
    recordedUntil: untilNow,
    status: async () => {
      const state = recorder?.state() ?? null;
      return { state: stateOf(state), ...(await readStatus(runtime.clock.now(), limits, state)) };
    },
    recorder: () => recorder?.state() ?? null,
    stop: async () => {
      await depth?.stop();
      await batches?.stop();
      await hours?.stop();
      await recorder?.stop();
    },
  };
}
