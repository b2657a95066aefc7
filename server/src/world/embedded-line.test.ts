import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addToAnswer, ask, endAnswer, type Line, nextQuestion, openLine } from './embedded-line.ts';

/** More than is there to begin with. */
const LONG = 'x'.repeat(200_000);
const NUMBER_MAX = 2 ** 31 - 1;

/** What the other thread does, here and now. */
function answerWith(line: Line, ...parts: string[]): string {
  const question = nextQuestion(line).toString();
  let length = 0;
  for (const part of parts) length = addToAnswer(line, Buffer.from(part), length);
  endAnswer(line, length);
  return question;
}

async function askAndAnswer(line: Line, question: string, ...parts: string[]) {
  const answer = ask(line, Buffer.from(question));
  const heard = answerWith(line, ...parts);
  return { heard, answer: (await answer).toString() };
}

describe('the line to the embedded database', () => {
  it('carries questions and answers of any length, one after the other', async () => {
    const line = openLine();
    const asked: [question: string, ...answer: string[]][] = [
      ['one', 'two'],
      ['', ''],
      [LONG, LONG, LONG, 'end'],
      ['short', 'again'],
    ];
    for (const [question, ...parts] of asked) {
      expect(await askAndAnswer(line, question, ...parts)).toEqual({ heard: question, answer: parts.join('') });
    }
  });

  it('waits for the answer to its question when it is called for an earlier one', async () => {
    const line = openLine();
    await askAndAnswer(line, 'first', 'answered');
    let answer: string | null = null;
    const second = ask(line, Buffer.from('second')).then((bytes) => {
      answer = bytes.toString();
    });
    for (let late = 0; late < 3; late += 1) {
      for (let index = 0; index < line.state.length; index += 1) Atomics.notify(line.state, index);
      await pause(5);
      expect(answer).toBeNull();
    }
    expect(answerWith(line, 'the second')).toBe('second');
    await second;
    expect(answer).toBe('the second');
  });

  it('goes on after more questions than there are numbers', async () => {
    const line = openLine();
    for (const [index] of line.state.entries()) line.state[index] = NUMBER_MAX - 1;
    for (const nth of ['last but one', 'last', 'first', 'second']) {
      expect(await askAndAnswer(line, nth, `to the ${nth}`)).toEqual({ heard: nth, answer: `to the ${nth}` });
    }
  });

  it('refuses a question while another one is open', async () => {
    const line = openLine();
    const first = ask(line, Buffer.from('first'));
    await expect(ask(line, Buffer.from('second'))).rejects.toThrow('still open');
    expect(answerWith(line, 'one')).toBe('first');
    expect((await first).toString()).toBe('one');
  });
});
