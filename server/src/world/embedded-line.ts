/**
 * Between the thread of the embedded database and the one that asks it: one question and its answer at a time, in memory
 * that both share. A message of the runtime takes longer each way than most statements.
 */

/** What both threads hold of it. `counts`: of questions and answers, and the kind and bytes of what was said last. */
export type Line = {
  counts: Int32Array<SharedArrayBuffer>;
  question: SharedArrayBuffer;
  answer: SharedArrayBuffer;
};

/** Of a question: run the message, or close. Of an answer: what the database says; an error of the call; it cannot write any more. */
export const SAID = { run: 0, close: 1, answer: 2, failure: 3, dead: 4 } as const;
export type Saying = { kind: number; bytes: Buffer };

const [QUESTIONS, ANSWERS, KIND, LENGTH] = [0, 1, 2, 3];
const BYTES = 2 ** 16;
/** What the database itself takes for one answer at most; reserved, and used as far as it is needed. */
const BYTES_MAX = 2 ** 30;

export function openLine(): Line {
  const open = () => new SharedArrayBuffer(BYTES, { maxByteLength: BYTES_MAX });
  return {
    counts: new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)),
    question: open(),
    answer: open(),
  };
}

/** Resolves with the answer, whose bytes are good until somebody asks again: not before this question is answered. */
export async function ask({ counts, question, answer }: Line, kind: number, bytes: Uint8Array): Promise<Saying> {
  const answered = Atomics.load(counts, ANSWERS);
  write(question, bytes, 0);
  state(counts, kind, bytes.length);
  Atomics.add(counts, QUESTIONS, 1);
  Atomics.notify(counts, QUESTIONS);
  const change = Atomics.waitAsync(counts, ANSWERS, answered);
  if (change.async) await change.value;
  return heard(counts, answer);
}

/** Blocks the thread until a question stands; `nth` counts from one. Its bytes are good until it is answered. */
export function nextQuestion({ counts, question }: Line, nth: number): Saying {
  while (Atomics.load(counts, QUESTIONS) < nth) Atomics.wait(counts, QUESTIONS, nth - 1);
  return heard(counts, question);
}

/** Another part of the answer, which is `length` bytes long so far; answers how long it is with it. */
export function addToAnswer({ answer }: Line, bytes: Uint8Array, length: number): number {
  write(answer, bytes, length);
  return length + bytes.length;
}

/** What was added is the answer, `length` bytes of it. */
export function endAnswer({ counts }: Line, kind: number, length: number): void {
  state(counts, kind, length);
  Atomics.add(counts, ANSWERS, 1);
  Atomics.notify(counts, ANSWERS);
}

function write(memory: SharedArrayBuffer, bytes: Uint8Array, at: number): void {
  const end = at + bytes.length;
  if (end > memory.byteLength) memory.grow(Math.min(BYTES_MAX, Math.max(end, memory.byteLength * 2)));
  new Uint8Array(memory).set(bytes, at);
}

function state(counts: Line['counts'], kind: number, length: number): void {
  Atomics.store(counts, KIND, kind);
  Atomics.store(counts, LENGTH, length);
}

function heard(counts: Line['counts'], memory: SharedArrayBuffer): Saying {
  return { kind: Atomics.load(counts, KIND), bytes: Buffer.from(memory, 0, Atomics.load(counts, LENGTH)) };
}
