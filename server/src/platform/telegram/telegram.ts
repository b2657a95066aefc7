import { instantFromMs } from '@dutchbook/units/instant.ts';
import { Api, GrammyError, HttpError } from 'grammy/web';
import type { Chat, ChatButton, ChatMessage, ChatMove, ChatOutcome, ChatText, Press } from '../runtime/chat.ts';
import { ChatUnavailable, ChatUnreadable } from '../runtime/chat.ts';
import { AnswerTooLong, guardedFetch, NeverLeft } from './guarded-fetch.ts';

/** Shorter than a process that stops waits for what is under way. */
const ANSWER_WITHIN_MS = 4000;
/** grammY's own limit, which is not to be reached. */
const NEVER_SECONDS = 3600;
/** Some fifty updates as long as they can be: a text of 4,096 characters that answers another one, six bytes for each of them. */
const UPDATES_BYTES_MAX = 4_000_000;
const UPDATE_KINDS = ['callback_query', 'message'] as const;

/** Telegram's bot API at `apiRoot`. */
export function openTelegram(apiRoot: string, answerWithinMs = ANSWER_WITHIN_MS): Chat {
  const apiFor = (token: string, bytesMax?: number) => apiOf(apiRoot, token, { answerWithinMs, bytesMax });
  return {
    send: async (message) => {
      const outcome = await send(apiFor(message.token), message, message.buttons);
      // Telegram takes buttons only with addresses it likes; the message itself says where to look, too.
      const isAboutButtons = outcome.kind === 'refused' && /BUTTON|URL/i.test(outcome.reason);
      return isAboutButtons && message.buttons.length > 0 ? await send(apiFor(message.token), message, []) : outcome;
    },
    updates: async (token, after, limit) => {
      const offset = after === null ? {} : { offset: after + 1 };
      const options = { ...offset, limit, timeout: 0, allowed_updates: UPDATE_KINDS };
      const updates = await available(() => apiFor(token, UPDATES_BYTES_MAX).getUpdates(options));
      const last = updates.at(-1)?.update_id ?? after;
      const [presses, texts, moves] = [updates.flatMap(pressOf), updates.flatMap(textOf), updates.flatMap(moveOf)];
      return { presses, texts, moves, last };
    },
    acknowledge: async (token, pressId, text) => {
      await available(() => apiFor(token).answerCallbackQuery(pressId, { text }));
    },
  };
}

type Limits = { answerWithinMs: number; bytesMax: number | undefined };

function apiOf(apiRoot: string, token: string, { answerWithinMs, bytesMax }: Limits): Api {
  const fetch = (url: string | URL, init: { method: string; headers: Record<string, string>; body: string }) =>
    guardedFetch(new URL(url), {
      ...{ ...init, signal: AbortSignal.timeout(answerWithinMs) },
      ...(bytesMax !== undefined && { bytesMax }),
    });
  return new Api(token, { apiRoot, timeoutSeconds: NEVER_SECONDS, fetch: fetch as typeof globalThis.fetch });
}

async function send(api: Api, { chatId, html }: ChatMessage, buttons: readonly ChatButton[]): Promise<ChatOutcome> {
  try {
    await api.sendMessage(chatId, html, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 && { reply_markup: { inline_keyboard: [buttons.map(asKey)] } }),
    });
    return { kind: 'sent' };
  } catch (error) {
    return outcomeOf(error);
  }
}

function asKey(button: ChatButton) {
  if ('url' in button) return { text: button.label, url: button.url };
  return { text: button.label, callback_data: button.data };
}

/** grammY keeps the address, and with it the token, out of what it throws; of errors below it only the kind is kept. */
function outcomeOf(error: unknown): ChatOutcome {
  if (error instanceof GrammyError) return answeredOutcome(error);
  const cause = error instanceof HttpError ? error.error : error;
  if (cause instanceof NeverLeft) return { kind: 'not_sent', reason: `Telegram could not be reached: ${whyOf(cause)}` };
  if (error instanceof HttpError) {
    return { kind: 'unknown', reason: `Telegram did not say whether it took the message: ${whyOf(cause)}` };
  }
  throw error;
}

/** What Telegram itself has answered is certain. */
function answeredOutcome({ error_code: code, description, parameters }: GrammyError): ChatOutcome {
  const reason = `Telegram: ${code} ${description}`;
  if (code === 429) return { kind: 'slow_down', seconds: parameters.retry_after ?? 1, reason };
  const movedTo = parameters.migrate_to_chat_id;
  if (movedTo !== undefined) return { kind: 'moved', chatId: String(movedTo), reason };
  if (code >= 500) return { kind: 'not_sent', reason };
  return { kind: 'refused', reason };
}

function whyOf(error: unknown): string {
  const cause = error instanceof NeverLeft ? error.cause : error;
  if (!(cause instanceof Error)) return 'it failed';
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError') return 'no answer in time';
  if (cause instanceof SyntaxError) return 'its answer cannot be read';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

async function available<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const cause = error instanceof HttpError ? error.error : error;
    if (cause instanceof AnswerTooLong)
      throw new ChatUnreadable(`Telegram: ${cause.message}`, firstUpdateIn(cause.head));
    const outcome = outcomeOf(error);
    throw new ChatUnavailable(outcome.kind === 'sent' ? 'Telegram answered oddly' : outcome.reason);
  }
}

/** Telegram writes the id of an update before all else of it. */
function firstUpdateIn(head: string): number | null {
  const [, id] =
    /^\s*\{\s*"ok"\s*:\s*true\s*,\s*"result"\s*:\s*\[\s*\{\s*"update_id"\s*:\s*(\d{1,15})\b/.exec(head) ?? [];
  return id === undefined ? null : Number(id);
}

type Update = Awaited<ReturnType<Api['getUpdates']>>[number];

function pressOf({ update_id: update, callback_query: query }: Update): Press[] {
  const chat = query?.message?.chat;
  if (query?.data === undefined || chat === undefined) return [];
  const { id, data, from } = query;
  return [{ update, id, data, chatIds: chatIdsOf(chat), userId: from.id, by: nameOf(from) }];
}

function textOf({ update_id: update, message }: Update): ChatText[] {
  if (message?.text === undefined || message.from === undefined) return [];
  const { text, from, chat, date } = message;
  const sentAt = instantFromMs(date * 1000);
  return [{ update, text, sentAt, chatIds: chatIdsOf(chat), userId: from.id, by: nameOf(from) }];
}

function moveOf({ message }: Update): ChatMove[] {
  const to = message?.migrate_to_chat_id;
  return message === undefined || to === undefined ? [] : [{ from: String(message.chat.id), to: String(to) }];
}

function chatIdsOf(chat: { id: number; username?: string | undefined }): string[] {
  return [String(chat.id), ...(chat.username === undefined ? [] : [`@${chat.username}`])];
}

function nameOf({ id, username }: { id: number; username?: string | undefined }): string {
  return username === undefined ? String(id) : `@${username}`;
}
