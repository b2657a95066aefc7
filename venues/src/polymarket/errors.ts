import { UnreadableTrade, VenueBusy, VenueUnavailable } from '../venue.ts';

const REASON_LENGTH_MAX = 300;
const HIDDEN = '[hidden]';
/** Shorter texts are no secrets, and hiding them would hide ordinary words. */
const SECRET_LENGTH_MIN = 8;

/** Texts that must never leave this folder, whatever the venue echoes: the key and the API credentials. */
export type Secrets = { add(text: string): void; clean(text: string): string };

/** Collects secrets as they become known; `clean` makes one short line of a text, without them. */
export function createSecrets(): Secrets {
  const secrets = new Set<string>();
  return {
    add: (text) => {
      if (text.length >= SECRET_LENGTH_MIN) secrets.add(text);
    },
    clean: (text) => {
      let cleaned = text;
      for (const secret of secrets) cleaned = cleaned.replaceAll(secret, HIDDEN);
      const line = cleaned
        .replace(/[\p{C}\s]+/gu, ' ')
        .replace(/[<>]/g, '')
        .trim();
      return line.length > REASON_LENGTH_MAX ? `${line.slice(0, REASON_LENGTH_MAX - 1)}…` : line;
    },
  };
}

/** What a failed call says: the HTTP status where there was an answer, and its text. */
export type CallFailure = { status: number | null; text: string };

export function callFailure(error: unknown): CallFailure {
  const status = error instanceof VenueUnavailable && typeof error.cause === 'number' ? error.cause : null;
  return { status, text: error instanceof Error ? error.message : String(error) };
}

/** Makes `VenueUnavailable` with one clean line of what a read threw. */
export function unavailable(what: string, error: unknown, secrets: Secrets): VenueUnavailable {
  if (error instanceof UnreadableTrade || error instanceof VenueBusy) return error;
  if (error instanceof VenueUnavailable) {
    return new VenueUnavailable(secrets.clean(error.message), { cause: error.cause });
  }
  const text = error instanceof Error ? error.message : String(error);
  return new VenueUnavailable(secrets.clean(`${what} did not succeed: ${text || 'no answer'}`));
}
