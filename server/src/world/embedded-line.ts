/**
 * Between the thread of the embedded database and the one that asks it: one question and its answer at a time, in memory
 * that both share. A message of the runtime takes longer each way than most statements.
 */

/** What both threads hold of it. `counts`: questions, answers, and kind and length in bytes of what was said last, which `said` holds. */
export type Line = { counts: Int32Array<SharedArrayBuffer>; said: SharedArrayBuffer };

/** Of a question: run the message, or close. Of an answer: what the database says; an error of the call; it cannot write any more. */
export const SAID = { run: 0, close: 1, answer: 2, failure: 3, dead: 4 } as const;
export type Saying = { kind: number; bytes: Uint8Array };

const [QUESTIONS, ANSWERS, KIND, LENGTH] = [0, 1, 2, 3];
const BYTES = 2 ** 16;
/** What the database itself takes for one answer at most; reserved, and used as far as it is needed. */
const BYTES_MAX = 2 ** 30;

export function openLine(): Line {
  return {
    counts: new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)),
    said: new SharedArrayBuffer(BYTES, { maxByteLength: BYTES_MAX }),
  };
}

/** Resolves with a copy of the answer. Nobody asks before the last question is answered. */
export async function ask(line: Line, question: Saying): Promise<Saying> {
  const { counts } = line;
  const answered = Atomics.load(counts, ANSWERS);
  say(line, question);
  Atomics.add(counts, QUESTIONS, 1);
  Atomics.notify(counts, QUESTIONS);
  const answer = Atomics.waitAsync(counts, ANSWERS, answered);
  if (answer.async) await answer.value;
  const { kind, bytes } = heard(line);
  return { kind, bytes: bytes.slice() };
}

/** Blocks the thread until a question stands; `nth` counts from one. Its bytes are good until it is answered. */
export function nextQuestion(line: Line, nth: number): Saying {
  while (Atomics.load(line.counts, QUESTIONS) < nth) Atomics.wait(line.counts, QUESTIONS, nth - 1);
  return heard(line);
}

export function answer(line: Line, saying: Saying): void {
  say(line, saying);
  Atomics.add(line.counts, ANSWERS, 1);
  Atomics.notify(line.counts, ANSWERS);
}

function say({ counts, said }: Line, { kind, bytes }: Saying): void {
  if (bytes.length > said.byteLength) said.grow(bytes.length);
  new Uint8Array(said).set(bytes);
  Atomics.store(counts, KIND, kind);
  Atomics.store(counts, LENGTH, bytes.length);
}

function heard({ counts, said }: Line): Saying {
  return { kind: Atomics.load(counts, KIND), bytes: new Uint8Array(said, 0, Atomics.load(counts, LENGTH)) };
}
