/** The mail server did not take a letter. The message says why, in words that may be shown to a superuser. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}
