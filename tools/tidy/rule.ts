import type { House } from './house.ts';

/** A place that breaks a rule, and why. `line` counts from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

/** One rule of the house; it counts as one test of the walls. */
export interface Rule {
  readonly name: string;
  find(house: House): Finding[];
}
