import type { Chat } from '../runtime/chat.ts';
import { paperMark } from '../runtime/paper-mark.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Every message of paper trading says so in its first line. */
export function markedChat(chat: Chat, { paper }: Pick<Runtime['config'], 'paper'>): Chat {
  if (paper === null) return chat;
  const mark = paperMark(paper);
  return { ...chat, send: (message) => chat.send({ ...message, html: `<b>${mark}</b>\n\n${message.html}` }) };
}
