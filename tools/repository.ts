import { dirname } from 'node:path';

/** The absolute path of the repository's top folder. */
export const repositoryRoot = dirname(import.meta.dirname);

/** Tells the person at the terminal what is happening, one sentence a line. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
