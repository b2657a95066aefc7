import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repositoryRoot } from '../repository.ts';

const LONGEST_ERROR = 500;

/** A failed test in one line: its file, its name, and the first line of its error. */
export function nameFailure(file: string, test: string, error: string | undefined): string {
  const path = isAbsolute(file) ? relative(repositoryRoot, file) : file;
  const name = test === '' ? path : `${path} > ${test}`;
  return `${name}: ${firstLine(error ?? '') || 'no error was given'}`;
}

/** The first line of an error, and the lines by which what was found differs from what was expected, in one. */
export function withDifference({ message, diff = '' }: { message: string; diff?: string | undefined }): string {
  const differing = stripVTControlCharacters(diff)
    .split('\n')
    .filter((line) => /^[-+] (?!Expected|Received)/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' '));
  return [firstLine(message), ...differing].join(' ');
}

/** The first line with anything on it, without colours and no longer than a few lines of a terminal. */
export function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n');
  return (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, LONGEST_ERROR);
}
