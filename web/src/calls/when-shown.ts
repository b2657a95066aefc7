import { ShownRefusal } from './api-error.ts';

/** Catches a call: runs a function after the refusal was shown; the refusal is thrown on either way. */
export function whenShown(act: () => void): (error: unknown) => never {
  return (error) => {
    if (error instanceof ShownRefusal) act();
    throw error;
  };
}
