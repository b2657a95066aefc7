import type { Instant } from '@dutchbook/units/instant.ts';

/** How messages reach a chat. */
export type ChatMessage = {
  token: string;
  chatId: string;
  /** Telegram's HTML. */
  html: string;
  buttons: readonly ChatButton[];
};

/** Opens an address, or tells that it was pressed: `data` has at most 64 bytes. */
export type ChatButton = { label: string } & ({ url: string } | { data: string });

export type ChatOutcome =
  | { kind: 'sent' }
  /** It certainly did not arrive, and may another time. */
  | { kind: 'not_sent'; reason: string }
  /** It did not arrive; nothing must be sent for so long. */
  | { kind: 'slow_down'; seconds: number; reason: string }
  /** It did not arrive: the group has become a supergroup, which has this id. */
  | { kind: 'moved'; chatId: string; reason: string }
  /** It did not arrive and will not, however often it is tried. */
  | { kind: 'refused'; reason: string }
  /** It may have arrived or not. */
  | { kind: 'unknown'; reason: string };

/** A button with `data` that was pressed in a chat; `chatIds`: what the chat it stands in is known by. */
export type Press = {
  update: number;
  id: string;
  data: string;
  chatIds: readonly string[];
  userId: number;
  by: string;
};

/** A message that was written to the bot; `chatIds`: what the chat it stands in is known by, the number first. */
export type ChatText = {
  update: number;
  text: string;
  sentAt: Instant;
  chatIds: readonly string[];
  userId: number;
  by: string;
};

/** A group that has become a supergroup, as Telegram itself says in it. */
export type ChatMove = { from: string; to: string };

/** `last`: the last update there is. */
export type Updates = { presses: Press[]; texts: ChatText[]; moves: ChatMove[]; last: number | null };

/** Reasons are words that may be shown, and never hold the token. */
export type Chat = {
  send: (message: ChatMessage) => Promise<ChatOutcome>;
  /** The first `limit` updates after `after`. @throws ChatUnavailable, ChatUnreadable */
  updates: (token: string, after: number | null, limit: number) => Promise<Updates>;
  /** Shows a line to the user who pressed. @throws ChatUnavailable */
  acknowledge: (token: string, pressId: string, text: string) => Promise<void>;
};

export class ChatUnavailable extends Error {
  override readonly name = 'ChatUnavailable';
}

/** Updates came that cannot be read, as they are too long. `first`: the first of them; null where that cannot be read either. */
export class ChatUnreadable extends Error {
  override readonly name = 'ChatUnreadable';
  readonly first: number | null;

  constructor(reason: string, first: number | null) {
    super(reason);
    this.first = first;
  }
}
