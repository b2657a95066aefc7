import { z } from 'zod';
import { ControlError, decimal } from '../control/calls.ts';

/**
 * `step`: `check` answers as the end of the run would be answered, and changes nothing; after `keep` that run is not ended any more,
 * also by what is on its way.
 */
export const endOfRun = z.object({ run: z.uuid(), cash: decimal, step: z.enum(['check', 'keep']).optional() });
export type EndOfRun = z.output<typeof endOfRun>;

/** The transactions, or moves, of the dollars that came and left; null before the run has ended, and where none left. */
export interface Ended {
  readonly in: string | null;
  readonly out: string | null;
}

export const NOT_ENDED: Ended = { in: null, out: null };

/** Runs that somebody has given up ending. Not kept over a restart, which ends what was on its way. */
export class KeptRuns {
  readonly #runs = new Set<string>();

  keep(run: string): Ended {
    this.#runs.add(run);
    return NOT_ENDED;
  }

  /** @throws ControlError where the run is kept */
  refuse(run: string): void {
    if (this.#runs.has(run)) throw new ControlError(409, 'the end of this run was given up');
  }
}
