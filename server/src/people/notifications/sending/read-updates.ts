/** Reads all that waits in the chat before anything of it is answered, so that no stranger's message delays a command. */
import { and, eq, sql } from 'drizzle-orm';
import {
  type ChatText,
  ChatUnavailable,
  ChatUnreadable,
  type Press,
  type Updates,
} from '../../../platform/runtime/chat.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type Destination, followGroup } from '../channel.ts';
import { notificationChannels } from '../table.ts';

const READ_FOR_MS = 3000;
const LIMIT_MAX = 100;
/** Texts answered at a time, the last ones. */
const TEXTS_MAX = 10;
const PRESSES_MAX = 50;
const STRANGERS_PRESSES_MAX = 10;

/** `lastUpdate`: after which it is read. `sealedToken`: of the bot whose updates these are. */
export type Position = Destination & { lastUpdate: number | null; sealedToken: string };

/** `listed`: presses by people who may mute or send commands; `strangers`: by others. */
export type ReceivedUpdates = { texts: ChatText[]; listed: Press[]; strangers: Press[] };

/** `unread`: why the last part could not be read; null where it was. */
type Read = { to: Position; received: ReceivedUpdates; unread: string | null };

type IsCommand = (to: Destination, text: ChatText) => boolean;

/**
 * The position is stored before what was read is answered, and by the process that read it alone: nothing is answered twice. What
 * cannot be read is asked for in ever smaller parts, and one update that cannot be read is stepped over.
 */
export async function readUpdates(runtime: Runtime, from: Position, isCommand: IsCommand): Promise<Read> {
  const beganAt = runtime.clock.now();
  const received: ReceivedUpdates = { texts: [], listed: [], strangers: [] };
  let to = from;
  let limit = LIMIT_MAX;
  let unread: string | null = null;
  while (runtime.clock.now() - beganAt < READ_FOR_MS) {
    const part = await readPart(runtime, to, limit);
    unread = part.unread;
    if (part.isTooLong && limit > 1) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    if (part.last === null || part.last === to.lastUpdate) break;
    if (!(await storePosition(runtime, to, part.last))) return { to, received, unread: null };
    to = { ...to, lastUpdate: part.last };
    if (part.updates === null) {
      runtime.log.warn({ update: part.last }, 'Telegram update too long to be read, left out');
      continue;
    }
    limit = Math.min(LIMIT_MAX, limit * 2);
    to = await follow(runtime, to, part.updates);
    keep(received, to, part.updates, isCommand);
  }
  return { to, received, unread };
}

/** `last`: the last update of it, which, where it is too long, is the first; null where it is not known. */
type Part = { updates: Updates | null; last: number | null; isTooLong: boolean; unread: string | null };

async function readPart({ chat }: Runtime, { token, lastUpdate }: Position, limit: number): Promise<Part> {
  try {
    const updates = await chat.updates(token, lastUpdate, limit);
    return { updates, last: updates.last, isTooLong: false, unread: null };
  } catch (error) {
    const unreadable = { updates: null, last: null, isTooLong: false };
    if (error instanceof ChatUnreadable)
      return { ...unreadable, last: error.first, isTooLong: true, unread: error.message };
    if (error instanceof ChatUnavailable) return { ...unreadable, unread: error.message };
    throw error;
  }
}

/** @returns false where another process has read on meanwhile, or the bot is another one */
async function storePosition({ db }: Runtime, { lastUpdate, sealedToken }: Position, next: number): Promise<boolean> {
  const { name, lastUpdate: position, sealedToken: bot } = notificationChannels;
  const stored = await db
    .update(notificationChannels)
    .set({ lastUpdate: next })
    .where(and(sql`${position} is not distinct from ${lastUpdate}`, eq(bot, sealedToken)))
    .returning({ name });
  return stored.length > 0;
}

/** What is written in a group that has become a supergroup has its new id. */
async function follow(runtime: Runtime, to: Position, { moves }: Updates): Promise<Position> {
  const move = moves.find(({ from }) => from === to.chatId);
  if (move === undefined) return to;
  await runtime.db.transaction((tx) => followGroup(tx, runtime, move));
  return { ...to, chatId: move.to };
}

/** Keeps an update, but nothing that strangers write. */
function keep(
  { texts, listed, strangers }: ReceivedUpdates,
  to: Destination,
  updates: Updates,
  isCommand: IsCommand,
): void {
  const { commandUserIds, muteUserIds } = to;
  const known = new Set([...commandUserIds, ...muteUserIds]);
  texts.push(...updates.texts.filter((text) => isCommand(to, text)));
  for (const press of updates.presses) (known.has(press.userId) ? listed : strangers).push(press);
  texts.splice(0, texts.length - TEXTS_MAX);
  listed.splice(0, listed.length - PRESSES_MAX);
  strangers.splice(0, strangers.length - STRANGERS_PRESSES_MAX);
}
