import { ToldRefusal } from './api-error.ts';

/** Catches a call: what is to be done where whoever asked was told of the refusal, which goes on either way. */
export function whenTold(act: () => void): (error: unknown) => never {
  return (error) => {
    if (error instanceof ToldRefusal) act();
    throw error;
  };
}
