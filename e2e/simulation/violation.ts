/** A broken rule, by the number of its check. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly check: string;

  constructor(check: string, message: string) {
    super(`${check}: ${message}`);
    this.check = check;
  }
}

export function must(holds: boolean, check: string, message: () => string): void {
  if (!holds) throw new Violation(check, message());
}
