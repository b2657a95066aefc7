import type { Repository } from './read-repository.ts';

/** A place that breaks a rule, and why. `line` counts from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

/** One architecture check; it counts as one test. */
export interface Rule {
  readonly name: string;
  find(repository: Repository): Finding[];
}
