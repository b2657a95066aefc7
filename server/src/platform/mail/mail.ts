import path from 'node:path';
import type { Mail } from '../runtime/mail.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { keepMail } from './kept-mail.ts';
import { markedMail } from './marked-mail.ts';
import { smtpMail } from './smtp-mail.ts';

export function openMail(runtime: Pick<Runtime, 'config' | 'clock' | 'random' | 'log'>): Mail {
  const { smtpUrl, mailFrom, dataDir } = runtime.config;
  const mail =
    smtpUrl === null
      ? keepMail(path.join(dataDir, 'mail'), mailFrom, runtime)
      : smtpMail(smtpUrl, mailFrom, runtime.clock);
  return markedMail(mail, runtime.config);
}
