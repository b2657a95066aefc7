import { Counter, Gauge, type Registry } from 'prom-client';
import type { Recordings } from './recordings.ts';
import type { RecorderState } from './writer.ts';

/** What this process records: nothing of it is measured where it does not. */
export function measureRecording(registry: Registry, { recorder }: Pick<Recordings, 'recorder'>): void {
  if (recorder() === null) return;
  const gauge = (name: string, help: string, read: (state: RecorderState) => number) =>
    new Gauge({
      ...{ name: `dutchbook_recording${name}`, help, registers: [registry] },
      collect() {
        const state = recorder();
        if (state !== null) this.set(read(state));
      },
    });
  const counter = (name: string, help: string, read: (state: RecorderState) => number) =>
    new Counter({
      ...{ name: `dutchbook_recording_${name}_total`, help, registers: [registry] },
      collect() {
        const state = recorder();
        this.reset();
        if (state !== null) this.inc(read(state));
      },
    });
  gauge('', 'Whether books are recorded: 1, or 0 while that is interrupted', ({ interrupted }) =>
    interrupted ? 0 : 1,
  );
  gauge('_tokens', 'Tokens whose books are recorded', ({ tokens }) => tokens);
  gauge('_waiting_bytes', 'Bytes that are noted and not written yet', ({ waitingBytes }) => waitingBytes);
  counter('bytes', 'Bytes that were written', ({ bytes }) => bytes);
  counter('records', 'Records that were written', ({ records }) => records);
  counter('dropped', 'Records that were dropped', ({ droppedRecords }) => droppedRecords);
  counter('gaps', 'Gaps that were recorded', ({ gaps }) => gaps);
}
