import { ToldRefusal } from './api-error.ts';

/** Catches a call: runs a function after the refusal was shown; the refusal is thrown on either way. */
export function whenTold(act: () => void): (error: unknown) => never {
  return (error) => {
    if (error instanceof ToldRefusal) act();
    throw error;
  };
}
