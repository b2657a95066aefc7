import { ApiError } from './api-error.ts';

/** What somebody proves beside the password. */
export type Factor = { code?: string; passkey?: string };

/** What the server asks for: `passkeyOptions` is what the browser asks passkeys with, where there are some. */
export type AskedFactor = { text: string; passkeyOptions?: object | undefined };

type Body = { second_factor?: unknown; second_factor_needed?: unknown; passkey_options?: object };

function bodyOf(error: unknown): Body {
  return error instanceof ApiError && typeof error.body === 'object' && error.body !== null ? error.body : {};
}

/** What a sign-in is asked for beside the password; null where it was refused for something else. */
export function askedFactorIn(error: unknown): AskedFactor | null {
  const { second_factor, passkey_options } = bodyOf(error);
  if (second_factor === undefined || !(error instanceof ApiError)) return null;
  return { text: error.message, passkeyOptions: passkey_options };
}

/** Asks somebody to prove the second factor; `hasPasskey`: by a passkey as well. @returns whether they did */
type Ask = (hasPasskey: boolean) => Promise<boolean>;

let ask: Ask | null = null;

/** `asking` is there for every call that needs a proof, until what is returned is called. */
export function onProofNeeded(asking: Ask): () => void {
  ask = asking;
  return () => {
    ask = null;
  };
}

/** Whether a call that was refused for want of a proof can be made again, because it has been given now. */
export async function isProvenAfter(error: unknown): Promise<boolean> {
  const { second_factor, second_factor_needed } = bodyOf(error);
  if (second_factor_needed !== true || ask === null) return false;
  return ask(Array.isArray(second_factor) && second_factor.includes('passkey'));
}
