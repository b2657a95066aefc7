/**
 * Parquet's runs: a number that is repeated, or numbers in so many bits each, eight by eight. How long a run is stands in front of it, and
 * a few bytes can say that it is endless.
 */
import { UnreadableRecording } from '../bytes.ts';

const COUNT_BYTES_MAX = 5;
const COUNT_BITS = 7;
/** With how many numbers the last run may be filled up: usual are eight, of DuckDB 256. */
const FILLED_MAX = 1024;

/** @throws UnreadableRecording where the runs in `bytes`, of numbers of `width` bits, have more of them than `values` */
export function checkRuns(bytes: Uint8Array, width: number, values: number): void {
  let at = 0;
  let seen = 0;
  while (seen < values && at < bytes.length) {
    const { count, end } = countAt(bytes, at);
    const isRepeated = count % 2 === 0;
    const run = isRepeated ? count / 2 : 8 * Math.floor(count / 2);
    at = end + (isRepeated ? Math.ceil(width / 8) : (run * width) / 8);
    seen += run;
    if (seen > values + (isRepeated ? 0 : FILLED_MAX))
      throw new UnreadableRecording(`a page repeats a value more often than the ${values} times that it has`);
  }
}

function countAt(bytes: Uint8Array, start: number): { count: number; end: number } {
  let count = 0;
  for (let place = 0; place < COUNT_BYTES_MAX; place += 1) {
    const byte = bytes[start + place] ?? 0;
    count += (byte % 128) * 2 ** (COUNT_BITS * place);
    if (byte < 128) return { count, end: start + place + 1 };
  }
  throw new UnreadableRecording('a page has a run without an end');
}
