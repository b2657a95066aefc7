import { beforeEach, describe, expect, it } from 'vitest';
import { clientFrame, FRAME, FrameReader, type FrameSink } from './frames.ts';

const BYTES_MAX = 100_000;
const LENGTHS = [0, 1, 125, 126, 600, 65_535, 65_536, 90_000];

let told: string[];
let reader: FrameReader;

beforeEach(() => {
  told = [];
  reader = new FrameReader(SINK, BYTES_MAX);
});

const SINK: FrameSink = {
  text: (text) => told.push(text),
  binary: () => told.push('binary'),
  ping: (payload) => told.push(`ping ${payload}`),
  close: () => told.push('close'),
  broken: (reason) => told.push(`broken: ${reason}`),
};

/** As a server writes it. */
function frame(opcode: number, payload: string | Buffer = '', { isLast = true, flags = 0 } = {}): Buffer {
  const bytes = Buffer.from(payload as string);
  const short = Buffer.from([(isLast ? 0x80 : 0) | flags | opcode, Math.min(bytes.length, 126)]);
  if (bytes.length < 126) return Buffer.concat([short, bytes]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  if (bytes.length <= 65_535) return Buffer.concat([short, length.subarray(6), bytes]);
  short[1] = 127;
  return Buffer.concat([short, length, bytes]);
}

/** In pieces of these sizes in turn, each in the same memory, which is overwritten after it. */
function read(bytes: Buffer, ...sizes: number[]): void {
  const memory = Buffer.alloc(Math.min(bytes.length, Math.max(...sizes, sizes.length === 0 ? bytes.length : 0)));
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const count = bytes.copy(memory, 0, at, at + (sizes[turn % sizes.length] ?? bytes.length));
    reader.read(memory, count);
    memory.fill(0xff);
    at += count;
  }
}

const texts = LENGTHS.map((length, nth) => String(nth).repeat(length));

describe('the frames of a server', () => {
  it.each([[[1]], [[2]], [[3, 1, 7]], [[127, 600]], [[65_536]], [[1_000_000]]])(
    'are read whole in pieces of %s bytes',
    (sizes) => {
      read(Buffer.concat(texts.map((text) => frame(FRAME.text, text))), ...sizes);
      expect(told.map(({ length }) => length)).toEqual(LENGTHS);
      expect(told.join('')).toBe(texts.join(''));
    },
  );

  it.each([[[1]], [[5]], [[1_000_000]]])(
    'make one message of several with keep-alives between, in pieces of %s bytes',
    (sizes) => {
      const bytes = Buffer.from('größer');
      const [first, second] = [bytes.subarray(0, 3), bytes.subarray(3)];
      read(
        Buffer.concat([
          frame(FRAME.text, first, { isLast: false }),
          frame(FRAME.ping, 'there?'),
          frame(FRAME.continued, second, { isLast: false }),
          frame(FRAME.pong),
          frame(FRAME.continued, ''),
          frame(FRAME.binary, 'a', { isLast: false }),
          frame(FRAME.continued, 'b'),
          frame(FRAME.binary, 'c'),
          frame(FRAME.text, '\ufffd is a sign like any other'),
        ]),
        ...sizes,
      );
      expect(told).toEqual(['ping there?', 'größer', 'binary', 'binary', '\ufffd is a sign like any other']);
    },
  );

  it.each([
    ['is masked', clientFrame(FRAME.text, Buffer.from('{}')), 'a frame is masked or extended'],
    ['is compressed', frame(FRAME.text, '{}', { flags: 0x40 }), 'a frame is masked or extended'],
    ['is too large', frame(FRAME.text, Buffer.alloc(BYTES_MAX)), 'a frame is too large'],
    ['is of no known kind', frame(3), 'a frame is out of turn'],
    ['is of no known kind of control', frame(11), 'a frame is of kind 11'],
    ['goes on with nothing', frame(FRAME.continued, 'b'), 'a frame is out of turn'],
    ['is a keep-alive in parts', frame(FRAME.ping, '', { isLast: false }), 'a control frame is cut up or too large'],
    ['is a keep-alive too large', frame(FRAME.ping, Buffer.alloc(126)), 'a control frame is cut up or too large'],
    ['is no text', frame(FRAME.text, Buffer.from([0x7b, 0xff])), 'a text is not UTF-8'],
    [
      'begins a message within another',
      Buffer.concat([frame(FRAME.text, 'a', { isLast: false }), frame(FRAME.text, 'b')]),
      'a frame is out of turn',
    ],
    [
      'makes a message too large',
      Buffer.concat([
        frame(FRAME.text, Buffer.alloc(60_000), { isLast: false }),
        frame(FRAME.continued, Buffer.alloc(60_000)),
      ]),
      'a message is too large',
    ],
  ])('end where one %s, and nothing after it is read', (_, bytes, reason) => {
    for (const sizes of [[1], [1_000_000]]) {
      told.length = 0;
      reader = new FrameReader(SINK, BYTES_MAX);
      read(Buffer.concat([frame(FRAME.text, 'before'), bytes, frame(FRAME.text, 'after')]), ...sizes);
      expect(told).toEqual(['before', `broken: ${reason}`]);
    }
  });

  it('end with the closing one, and where the reader is stopped in the middle', () => {
    read(Buffer.concat([frame(FRAME.text, 'a'), frame(FRAME.close, 'xx'), frame(FRAME.text, 'b')]));
    expect(told).toEqual(['a', 'close']);
    told.length = 0;
    const stopAt = (text: string) => {
      told.push(text);
      reader.stop();
    };
    reader = new FrameReader({ ...SINK, text: stopAt }, BYTES_MAX);
    read(Buffer.concat([frame(FRAME.text, 'a'), frame(FRAME.text, 'b')]));
    expect(told).toEqual(['a']);
  });
});
