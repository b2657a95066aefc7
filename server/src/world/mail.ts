export type Letter = { to: string; subject: string; text: string; html: string };

/** How letters leave. Where no mail server is configured they are kept in the data folder, and the log names the file. */
export type Mail = {
  /** @throws when the mail server does not take it */
  send: (letter: Letter) => Promise<void>;
};
