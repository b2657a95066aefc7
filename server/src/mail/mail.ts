import path from 'node:path';
import type { Runtime } from '../runtime.ts';
import { keepMail } from './kept-mail.ts';
import { smtpMail } from './smtp-mail.ts';

export type Letter = { to: string; subject: string; text: string; html: string };

/** How letters leave. Where no mail server is configured they are kept in the data folder, and the log names the file. */
export type Mail = {
  /** Once `signal` aborts it gives up; the mail server may have taken the letter all the same. @throws MailNotSent */
  send: (letter: Letter, signal?: AbortSignal) => Promise<void>;
};

export function openMail(runtime: Pick<Runtime, 'config' | 'clock' | 'random' | 'log'>): Mail {
  const { smtpUrl, mailFrom, dataDir } = runtime.config;
  if (smtpUrl !== null) return smtpMail(smtpUrl, mailFrom, runtime.clock);
  return keepMail(path.join(dataDir, 'mail'), mailFrom, runtime);
}
