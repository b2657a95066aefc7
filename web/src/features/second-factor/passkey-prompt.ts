import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { Explained } from '../../calls/api-error.ts';

const NOT_USED = 'The passkey was not used. Try again, or enter a code.';
const NOT_MADE = 'The passkey was not made. Try again.';

/** Has the browser sign with a passkey, as the server has asked. @returns what it says, as JSON @throws in a sentence */
export async function signWithPasskey(options: object): Promise<string> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return JSON.stringify(await orSay(startAuthentication({ optionsJSON }), NOT_USED));
}

/** Has the browser make a passkey. @returns what it says, as JSON @throws in a sentence */
export async function makePasskey(options: object): Promise<string> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return JSON.stringify(await orSay(startRegistration({ optionsJSON }), NOT_MADE));
}

/** Replaces the browser's own errors: explains what to do after a cancel, or without a key at hand. */
async function orSay<Answer>(asking: Promise<Answer>, sentence: string): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    throw new Explained(sentence, { cause: error });
  }
}
