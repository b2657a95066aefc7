/** Whole numbers in as few bytes as they need, seven bits each, the lowest first. */

const BITS = 128;
const UTF_8 = new TextEncoder();

export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Takes whole numbers from 0 to the greatest safe one. */
  count(value: number): void {
    let rest = value;
    while (rest >= BITS) {
      this.#byte((rest % BITS) + BITS);
      rest = Math.floor(rest / BITS);
    }
    this.#byte(rest);
  }

  /** A whole number of either sign: small ones stay short. */
  signed(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(text: string): void {
    this.raw(UTF_8.encode(text));
  }

  raw(bytes: Uint8Array): void {
    this.count(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  /** What was written so far; not a copy. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}

/** Bytes that end too early, or say what cannot be. */
export class UnreadableRecording extends Error {
  override readonly name = 'UnreadableRecording';
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws UnreadableRecording */
  count(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new UnreadableRecording('a block ends too early');
      this.#at += 1;
      value += (byte % BITS) * scale;
      if (byte < BITS) break;
      scale *= BITS;
    }
    if (!Number.isSafeInteger(value)) throw new UnreadableRecording('a number is too large');
    return value;
  }

  /** @throws UnreadableRecording */
  signed(): number {
    const value = this.count();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** @throws UnreadableRecording */
  text(): string {
    return new TextDecoder().decode(this.raw());
  }

  /** @throws UnreadableRecording */
  raw(): Uint8Array {
    const length = this.count();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new UnreadableRecording('a block ends too early');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
