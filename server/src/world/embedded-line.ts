/**
 * Between the thread of the embedded database and the one that asks it: one question and its answer at a time, in memory
 * that both share. A message of the runtime takes longer each way than most statements.
 */

/** What both threads hold of it. Questions and answers are numbered, and the numbers wrap. */
export type Line = {
  state: Int32Array<SharedArrayBuffer>;
  question: SharedArrayBuffer;
  answer: SharedArrayBuffer;
};

/** Of `state`: the numbers of the last question and the last answer, and the bytes of each. */
const [QUESTION, QUESTION_BYTES, ANSWER, ANSWER_BYTES] = [0, 1, 2, 3];
const BYTES = 2 ** 16;
/** What the database itself takes for one answer at most; reserved, and used as far as it is needed. */
const BYTES_MAX = 2 ** 30;

export function openLine(): Line {
  const open = () => new SharedArrayBuffer(BYTES, { maxByteLength: BYTES_MAX });
  return {
    state: new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)),
    question: open(),
    answer: open(),
  };
}

/**
 * Resolves with the answer, whose bytes are good until somebody asks again.
 * @throws while another question is open, or when this one is longer than there is room for
 */
export async function ask({ state, question, answer }: Line, bytes: Uint8Array): Promise<Buffer> {
  if (Atomics.load(state, ANSWER) !== Atomics.load(state, QUESTION)) throw new Error('another question is still open');
  write(question, bytes, 0);
  Atomics.store(state, QUESTION_BYTES, bytes.length);
  Atomics.add(state, QUESTION, 1);
  const nth = Atomics.load(state, QUESTION);
  Atomics.notify(state, QUESTION);
  // The other thread may call out for the last answer only now, where it was held up after giving it.
  for (let answered = Atomics.load(state, ANSWER); answered !== nth; answered = Atomics.load(state, ANSWER)) {
    const change = Atomics.waitAsync(state, ANSWER, answered);
    if (change.async) await change.value;
  }
  return Buffer.from(answer, 0, Atomics.load(state, ANSWER_BYTES));
}

/** Blocks the thread until a question is open. Its bytes are good until it is answered. */
export function nextQuestion({ state, question }: Line): Buffer {
  const answered = Atomics.load(state, ANSWER);
  while (Atomics.load(state, QUESTION) === answered) Atomics.wait(state, QUESTION, answered);
  return Buffer.from(question, 0, Atomics.load(state, QUESTION_BYTES));
}

/** Another part of the answer, which is `length` bytes long so far; answers how long it is with it. */
export function addToAnswer({ answer }: Line, bytes: Uint8Array, length: number): number {
  write(answer, bytes, length);
  return length + bytes.length;
}

/** What was added is the answer, `length` bytes of it. */
export function endAnswer({ state }: Line, length: number): void {
  Atomics.store(state, ANSWER_BYTES, length);
  Atomics.add(state, ANSWER, 1);
  Atomics.notify(state, ANSWER);
}

function write(memory: SharedArrayBuffer, bytes: Uint8Array, at: number): void {
  const end = at + bytes.length;
  if (end > memory.byteLength) memory.grow(Math.max(end, Math.min(BYTES_MAX, memory.byteLength * 2)));
  new Uint8Array(memory).set(bytes, at);
}
