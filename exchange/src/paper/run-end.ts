import { z } from 'zod';
import { ControlError, decimal } from '../control/calls.ts';

/**
 * `step`: `check` answers as the end of the run would be answered, and changes nothing; after `keep` that run is not ended any more,
 * also by what is on its way; `go_on` ends it all the same, as it has ended at another venue.
 */
export const endOfRun = z.object({ run: z.uuid(), cash: decimal, step: z.enum(['check', 'keep', 'go_on']).optional() });
export type EndOfRun = z.output<typeof endOfRun>;

/** The transactions, or moves, of the dollars that came and left; null before the run has ended, and where none left. */
export interface Ended {
  readonly in: string | null;
  readonly out: string | null;
}

export const NOT_ENDED: Ended = { in: null, out: null };

/** Runs that a superuser has given up ending. Not kept over a restart, which ends what was on its way. */
export class KeptRuns {
  readonly #runs = new Set<string>();

  keep(run: string): Ended {
    this.#runs.add(run);
    return NOT_ENDED;
  }

  /** @throws ControlError where the run is kept, unless it goes on */
  refuse({ run, step }: Pick<EndOfRun, 'run' | 'step'>): void {
    if (step === 'go_on') this.#runs.delete(run);
    if (this.#runs.has(run)) throw new ControlError(409, 'the end of this run was given up');
  }
}
