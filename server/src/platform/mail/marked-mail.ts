import type { Letter, Mail } from '../runtime/mail.ts';
import { paperMark } from '../runtime/paper-mark.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Every letter of paper trading says so, in its subject and above its text. */
export function markedMail(mail: Mail, { paper }: Pick<Runtime['config'], 'paper'>): Mail {
  if (paper === null) return mail;
  const mark = paperMark(paper);
  return { send: (letter, signal) => mail.send(marked(letter, mark), signal) };
}

function marked({ to, subject, text, html }: Letter, mark: string): Letter {
  const head = Math.max(0, html.indexOf('<h1'));
  return {
    ...{ to, subject: `PAPER: ${subject}`, text: `${mark}.\n\n${text}` },
    html: `${html.slice(0, head)}<p style="margin:0 0 16px;font-weight:700">${mark}.</p>\n${html.slice(head)}`,
  };
}
