import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** Raised for a journal whose middle is unreadable; a torn last line is expected after a crash and only dropped. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** API secrets lie in it. */
const OWNER_ONLY = 0o600;

/** An append-only file of JSON lines. Each line is one whole operation: it is there entirely or not at all. */
export class JournalFile {
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file and reads what it holds; cuts off a last line that a crash tore. @throws JournalError */
  open(): unknown[] {
    this.#descriptor = openSync(this.#path, 'a', OWNER_ONLY);
    const bytes = readFileSync(this.#path);
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) truncateSync(this.#path, end);
    const lines = bytes.subarray(0, end).toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line, position) => this.#parse(line, position + 1));
  }

  /** Hands the line to the operating system before returning: it outlives the process from then on. */
  append(operation: unknown): void {
    if (this.#descriptor === undefined) throw new JournalError(`${this.#path} is not open`);
    writeSync(this.#descriptor, `${JSON.stringify(operation)}\n`);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #parse(line: string, lineNumber: number): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw new JournalError(`${this.#path}, line ${lineNumber} is not JSON`);
    }
  }
}
