import { Faults } from './faults.ts';
import { matchingFaults } from './matching-faults.ts';

/** For a engine on which nothing goes wrong. */
export const NO_FAULTS = matchingFaults(new Faults(() => 0));
