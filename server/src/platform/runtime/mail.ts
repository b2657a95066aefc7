export type Letter = { to: string; subject: string; text: string; html: string };

/** How letters leave. Where no mail server is configured they are kept in the data folder, and the log names the file. */
export type Mail = {
  /** Once `signal` aborts it gives up; the mail server may have taken the letter all the same. @throws MailNotSent */
  send: (letter: Letter, signal?: AbortSignal) => Promise<void>;
};
