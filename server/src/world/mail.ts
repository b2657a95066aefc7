import path from 'node:path';
import { keepMail } from './kept-mail.ts';
import { smtpMail } from './smtp-mail.ts';
import type { World } from './world.ts';

export type Letter = { to: string; subject: string; text: string; html: string };

/** How letters leave. Where no mail server is configured they are kept in the data folder, and the log names the file. */
export type Mail = {
  /** Once `signal` aborts it gives up; the mail server may have taken the letter all the same. @throws MailNotSent */
  send: (letter: Letter, signal?: AbortSignal) => Promise<void>;
};

export function openMail(world: Pick<World, 'config' | 'clock' | 'dice' | 'log'>): Mail {
  const { smtpUrl, mailFrom, dataDir } = world.config;
  if (smtpUrl !== null) return smtpMail(smtpUrl, mailFrom, world.clock);
  return keepMail(path.join(dataDir, 'mail'), mailFrom, world);
}
