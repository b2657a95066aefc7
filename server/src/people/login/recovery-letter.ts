import { composeLetter } from '../../platform/mail/compose.ts';
import type { Letter } from '../../platform/runtime/mail.ts';
import { RESET_HOURS } from './reset-tokens.ts';

/** `askedBy` begins a sentence: who wants a new password for the account `email`. */
export function recoveryLetter(email: string, askedBy: string, webUrl: string, token: string): Letter {
  return composeLetter(email, {
    subject: 'Set a new password for Dutchbook',
    paragraphs: [`${askedBy} asked for a new password for the Dutchbook account ${email}.`],
    link: { label: 'Set a new password', url: `${webUrl}/reset-password?token=${token}` },
    afterLink: [
      `The link works once, for ${RESET_HOURS} hours. A new password signs the account out everywhere.`,
      'If it was not you, do nothing: the password stays as it is, and cannot be changed without this link. Do not pass the link on.',
    ],
  });
}
