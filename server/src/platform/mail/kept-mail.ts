import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { instantToIso } from '@dutchbook/units/instant.ts';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Letter, Mail } from '../runtime/mail.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Writes letters into `folder`, one file each, for its owner alone: any mail program opens them. */
export function keepMail(
  folder: string,
  from: string,
  { clock, random, log }: Pick<Runtime, 'clock' | 'random' | 'log'>,
): Mail {
  return {
    send: async (letter) => {
      const now = clock.now();
      const options = { ...letter, text: { raw: verbatim(letter) }, from, date: new Date(now) };
      const content = await new MailComposer(options).compile().build();
      const file = path.join(folder, `${instantToIso(now).replaceAll(':', '-')}-${random.uuid().slice(0, 8)}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Under another name until it is whole.
      await writeFile(`${file}.new`, content, { flag: 'wx', mode: 0o600, flush: true });
      await rename(`${file}.new`, file);
      log.info({ file }, 'mail kept, no mail server is configured');
    },
  };
}

/** The text as a part whose lines are not folded, so that a link can also be copied out of the file by hand. */
function verbatim({ text }: Letter): string {
  const headers = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
  return [...headers, '', ...text.split('\n')].join('\r\n');
}
