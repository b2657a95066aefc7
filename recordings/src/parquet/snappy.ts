import { UnreadableRecording } from '../bytes.ts';

/** Literals of up to so many bytes have their length in their first byte. */
const SHORT_LITERAL = 60;

/**
 * Expands snappy's format to exactly `length` bytes, which the caller has found small enough; every step goes forward.
 * @throws UnreadableRecording where the bytes say anything else
 */
export function expandSnappy(bytes: Uint8Array, length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  let written = 0;
  const number = (count: number): number => {
    let value = 0;
    for (let place = 0; place < count; place += 1) value += byteAt(bytes, at + place) * 256 ** place;
    at += count;
    return value;
  };
  // How long all of it is stands first: seven bits in each byte, which is known already.
  while (number(1) >= 128);
  const literal = (size: number) => {
    if (size > length - written || size > bytes.length - at)
      throw new UnreadableRecording('a page is longer than it says');
    all.set(bytes.subarray(at, at + size), written);
    at += size;
    written += size;
  };
  // Byte by byte: it may repeat what it has only just written.
  const repeat = (size: number, back: number) => {
    if (size > length - written || back === 0 || back > written)
      throw new UnreadableRecording('a page repeats what it does not have');
    for (let left = size; left > 0; left -= 1, written += 1) all[written] = all[written - back] ?? 0;
  };
  while (at < bytes.length) {
    const tag = number(1);
    const [kind, high] = [tag % 4, tag >> 2];
    if (kind === 0) literal(1 + (high < SHORT_LITERAL ? high : number(high - SHORT_LITERAL + 1)));
    else if (kind === 1) repeat(4 + (high % 8), number(1) + 256 * (high >> 3));
    else repeat(1 + high, number(kind === 2 ? 2 : 4));
  }
  if (written !== length) throw new UnreadableRecording('a page is shorter than it says');
  return all;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new UnreadableRecording('a page ends too early');
  return byte;
}
