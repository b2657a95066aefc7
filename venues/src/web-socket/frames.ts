/** The frames of a WebSocket (RFC 6455, section 5) as a client reads and writes them: without extensions. */
import { isUtf8 } from 'node:buffer';
import { randomFillSync } from 'node:crypto';

/** What the other side says; the bytes are good until the call returns. */
export type FrameSink = {
  text(text: string): void;
  binary(): void;
  ping(payload: Buffer): void;
  /** Nothing is read after it. */
  close(): void;
  /** What it sends is against the protocol, or too large: nothing is read after it. */
  broken(reason: string): void;
};

export const FRAME = { continued: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const LAST = 0x80;
const EXTENSIONS = 0x70;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;
const TWO_BYTES_MAX = 0xffff;
const MASK_BYTES = 4;
const CONTROL_PAYLOAD_MAX = 125;
/** Memory for the beginning of a frame is kept up to this. */
const KEPT_BYTES = 64 * 1024;
/** What stands in a text for bytes that are none. */
const REPLACEMENT = '\ufffd';

const NONE = Buffer.alloc(0);

/** Takes the frames out of bytes that come in any pieces. */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #bytesMax: number;
  /** The beginning of a frame that has not come whole. */
  #held = NONE;
  #heldBytes = 0;
  /** The parts of a message of several frames so far; null outside of one. */
  #parts: Buffer[] | null = null;
  /** In them, with a head for each, so that empty ones come to an end as well. */
  #partBytes = 0;
  #isText = false;
  #isDone = false;

  /** `bytesMax`: of a frame with its head, and of a message. */
  constructor(sink: FrameSink, bytesMax: number) {
    this.#sink = sink;
    this.#bytesMax = bytesMax;
  }

  /** The bytes from the first up to, not including, `end`. They may be written over after that. */
  read(bytes: Buffer, end: number): void {
    let at = this.#heldBytes === 0 || this.#isDone ? 0 : this.#complete(bytes, end);
    while (at < end && !this.#isDone) {
      const span = spanOf(bytes, at, end);
      if (span > this.#bytesMax) this.#break('a frame is too large');
      else if (span === 0 || at + span > end) {
        this.#append(bytes, at, end, span);
        at = end;
      } else {
        this.#take(bytes, at, at + span);
        at += span;
      }
    }
  }

  /** What is still there is not told any more. */
  stop(): void {
    this.#isDone = true;
  }

  /** @returns where the next frame begins */
  #complete(bytes: Buffer, end: number): number {
    for (let at = 0; ; ) {
      const span = spanOf(this.#held, 0, this.#heldBytes);
      if (span > this.#bytesMax) this.#break('a frame is too large');
      if (this.#isDone) return end;
      if (span > 0 && span === this.#heldBytes) {
        const held = this.#held;
        this.#heldBytes = 0;
        if (held.length > KEPT_BYTES) this.#held = NONE;
        this.#take(held, 0, span);
        return at;
      }
      if (at === end) return at;
      const upTo = Math.min(end, at + (span === 0 ? 1 : span - this.#heldBytes));
      this.#append(bytes, at, upTo, span);
      at = upTo;
    }
  }

  #append(bytes: Buffer, from: number, to: number, span: number): void {
    const wanted = Math.max(span, this.#heldBytes + to - from);
    if (this.#held.length < wanted) {
      const held = Buffer.allocUnsafeSlow(wanted);
      this.#held.copy(held, 0, 0, this.#heldBytes);
      this.#held = held;
    }
    this.#heldBytes += bytes.copy(this.#held, this.#heldBytes, from, to);
  }

  #take(bytes: Buffer, at: number, end: number): void {
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    const from = at + headBytes(second & LENGTH);
    const opcode = first & OPCODE;
    const isLast = (first & LAST) !== 0;
    if ((first & EXTENSIONS) !== 0 || (second & MASKED) !== 0) this.#break('a frame is masked or extended');
    else if (opcode === FRAME.text && isLast && this.#parts === null) this.#text(bytes, from, end);
    else if (opcode < FRAME.close) this.#part(opcode, isLast, bytes, from, end);
    else if (isLast && end - from <= CONTROL_PAYLOAD_MAX) this.#control(opcode, bytes, from, end);
    else this.#break('a control frame is cut up or too large');
  }

  #text(bytes: Buffer, from: number, end: number): void {
    const text = bytes.toString('utf8', from, end);
    if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(from, end))) this.#break('a text is not UTF-8');
    else this.#sink.text(text);
  }

  #part(opcode: number, isLast: boolean, bytes: Buffer, from: number, end: number): void {
    const isFirst = opcode !== FRAME.continued;
    const parts = this.#parts ?? [];
    this.#partBytes = (isFirst ? 0 : this.#partBytes) + headBytes(0) + end - from;
    if (opcode > FRAME.binary || isFirst !== (this.#parts === null)) this.#break('a frame is out of turn');
    else if (this.#partBytes > this.#bytesMax) this.#break('a message is too large');
    else {
      parts.push(Buffer.from(bytes.subarray(from, end)));
      if (isFirst) this.#isText = opcode === FRAME.text;
      this.#parts = isLast ? null : parts;
      if (isLast) this.#message(Buffer.concat(parts));
    }
  }

  #message(bytes: Buffer): void {
    if (this.#isText) this.#text(bytes, 0, bytes.length);
    else this.#sink.binary();
  }

  #control(opcode: number, bytes: Buffer, from: number, end: number): void {
    if (opcode === FRAME.ping) this.#sink.ping(bytes.subarray(from, end));
    else if (opcode === FRAME.close) {
      this.#isDone = true;
      this.#sink.close();
    } else if (opcode !== FRAME.pong) this.#break(`a frame is of kind ${opcode}`);
  }

  #break(reason: string): void {
    this.#isDone = true;
    this.#sink.broken(reason);
  }
}

/** One frame that is a whole message, masked as those of a client have to be. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const short =
    length <= CONTROL_PAYLOAD_MAX ? length : length <= TWO_BYTES_MAX ? LENGTH_IN_TWO_BYTES : LENGTH_IN_EIGHT_BYTES;
  const head = headBytes(short);
  const frame = Buffer.allocUnsafeSlow(head + MASK_BYTES + length);
  frame[0] = LAST | opcode;
  frame[1] = MASKED | short;
  if (short === LENGTH_IN_TWO_BYTES) frame.writeUInt16BE(length, 2);
  else if (short === LENGTH_IN_EIGHT_BYTES) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomFillSync(frame.subarray(head, head + MASK_BYTES));
  const start = head + MASK_BYTES;
  for (let at = 0; at < length; at += 1) frame[start + at] = (payload[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0);
  return frame;
}

/** How many bytes the frame at `at` has in all; 0 while that is not there to be read. */
function spanOf(bytes: Buffer, at: number, end: number): number {
  const there = end - at;
  if (there < 2) return 0;
  const short = (bytes[at + 1] ?? 0) & LENGTH;
  const head = headBytes(short);
  if (there < head) return 0;
  if (short === LENGTH_IN_TWO_BYTES) return head + bytes.readUInt16BE(at + 2);
  if (short === LENGTH_IN_EIGHT_BYTES) return head + Number(bytes.readBigUInt64BE(at + 2));
  return head + short;
}

function headBytes(short: number): number {
  if (short === LENGTH_IN_TWO_BYTES) return 4;
  return short === LENGTH_IN_EIGHT_BYTES ? 10 : 2;
}
