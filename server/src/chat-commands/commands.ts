/** What people who are listed may ask the desk in the chat: how it stands, what it holds, and to disarm. */
import { VENUE_MODES } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { type Destination, followGroup } from '../people/notifications/channel.ts';
import type { ChatCommands } from '../people/notifications/sending/updates.ts';
import type { ReadFeed } from '../platform/engines/engines.ts';
import { heldInWords } from '../platform/http/stops.ts';
import { escapeHtml } from '../platform/mail/escape-html.ts';
import type { ChatButton, ChatText, Press } from '../platform/runtime/chat.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import { readOverview } from '../status/overview.ts';
import { batches, batchOrders } from '../trading/orders/table.ts';
import { disarm, HALTED } from '../trading/trading-controls/arming.ts';
import { readSystemStatus } from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';
import { limitUse } from '../trading/under-way/limit-use.ts';
import { heldShares, isHolding } from '../trading/under-way/rules.ts';

/** What commands look at and act on. */
type Desk = { controls: readonly TradingControls[]; feed: ReadFeed };

/** The commands of this desk. */
export function chatCommands(runtime: Runtime, desk: Desk): ChatCommands {
  return {
    isCommand: (to, text) => commandOf(to, text) !== null,
    answer: (to, text) => answerCommand(runtime, desk, to, text),
    isOurs: ({ data }) => data.startsWith(DISARM_PREFIX),
    confirm: (to, press) => confirmDisarm(runtime, desk, to, press),
  };
}

const DISARM_PREFIX = 'disarm:';

/** Older ones, as from before a restart, are not carried out. */
const FRESH_MS = 60_000;
const CONFIRM_WITHIN_MS = 60_000;
const POSITIONS_SHOWN = 10;
/** Longer names are cut, so that ten of them fit into a message. */
const NAME_MAX = 120;

type Answer = { lines: string[]; buttons?: ChatButton[] };

/** Which command it is; null where the sender is not listed, or writes elsewhere than in the desk's chat or to the bot alone. */
function commandOf({ chatId, commandUserIds }: Destination, { text, chatIds, userId }: ChatText): string | null {
  const command = /^\/(status|positions|disarm)(?=$|[\s@])/i.exec(text)?.[1]?.toLowerCase();
  const isHere = chatIds.some((id) => id.toLowerCase() === chatId.toLowerCase()) || chatIds[0] === String(userId);
  return command !== undefined && isHere && commandUserIds.includes(userId) ? command : null;
}

async function answerCommand(runtime: Runtime, desk: Desk, to: Destination, text: ChatText): Promise<void> {
  const command = commandOf(to, text);
  const [from = ''] = text.chatIds;
  if (command === null) return;
  const isOld = elapsedMs(text.sentAt, runtime.clock.now()) > FRESH_MS;
  const answer = isOld
    ? { lines: [`/${command} was sent more than a minute ago and is not answered. Send it again.`] }
    : await answerOf(runtime, desk, command, text.userId);
  const html = answer.lines.map(escapeHtml).join('\n');
  const message = { token: to.token, html, buttons: answer.buttons ?? [] };
  let outcome = await runtime.chat.send({ ...message, chatId: from });
  if (outcome.kind === 'moved') {
    const move = { from, to: outcome.chatId };
    await runtime.db.transaction((tx) => followGroup(tx, runtime, move));
    outcome = await runtime.chat.send({ ...message, chatId: move.to });
  }
  if (outcome.kind !== 'sent') runtime.log.debug({ reason: outcome.reason, command }, 'Telegram command not answered');
}

function answerOf(runtime: Runtime, desk: Desk, command: string, userId: number): Promise<Answer> {
  if (command === 'status') return statusAnswer(runtime, desk);
  if (command === 'positions') return positionsAnswer(runtime);
  return disarmAnswer(runtime, desk, userId);
}

async function statusAnswer(runtime: Runtime, { controls, feed }: Desk): Promise<Answer> {
  const { db, clock } = runtime;
  const status = await readSystemStatus(runtime, controls, feed);
  const overview = await readOverview(db, clock.now());
  return {
    lines: [
      `${VENUE_MODES[status.venue].label}: trading is ${status.armed ? 'armed' : 'disarmed'}, feed ${status.feed}.`,
      ...(status.venues ?? []).map(
        ({ venue, armed, feed: of }) =>
          `${VENUE_LABELS[venue]}: trading is ${armed ? 'armed' : 'disarmed'}, feed ${of}.`,
      ),
      `Opportunities: ${formatCount(overview.active_opportunities)} active, ${formatCount(overview.triggered_opportunities)} triggered.`,
      `Batches: ${formatCount(overview.running_batches)} running, ${formatCount(overview.unhedged_batches)} unhedged, ${formatUsd(overview.unhedged_usd)} lost at worst.`,
      `Unknown orders: ${formatCount(status.unknown_orders)}.`,
      `Realised since midnight UTC: ${formatUsd(overview.realised_today_usd)}; ${formatCount(overview.batches_today)} batches ended.`,
    ],
  };
}

async function positionsAnswer({ db, clock }: Runtime): Promise<Answer> {
  const { openExposure } = await limitUse(db, clock.now());
  const ofOrder = heldShares(sql`${batchOrders}`);
  const shares = sql<number>`sum(${ofOrder})`.mapWith(Number);
  const held = await db
    .select({ name: batchOrders.marketName, outcome: batchOrders.outcome, shares })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(
      and(
        eq(batchOrders.side, 'buy'),
        gt(batchOrders.filledSize, batchOrders.soldSize),
        sql`${ofOrder} > 0 and ${isHolding(sql`${batches}`)}`,
        eq(batches.simulated, false),
      ),
    )
    .groupBy(batchOrders.marketName, batchOrders.outcome)
    .orderBy(desc(shares), batchOrders.marketName, batchOrders.outcome)
    .limit(POSITIONS_SHOWN + 1);
  const lines = held
    .slice(0, POSITIONS_SHOWN)
    .map(({ name, outcome, shares: of }) => `${formatShares(of as Shares)} ${cut(outcome)}: ${cut(name)}`);
  return {
    lines: [
      held.length === 0 ? 'No shares are held.' : 'Held, the largest first:',
      ...lines,
      ...(held.length > POSITIONS_SHOWN ? ['And more.'] : []),
      `Open exposure: ${formatUsd(openExposure)}.`,
    ],
  };
}

async function disarmAnswer({ clock }: Runtime, { controls }: Desk, userId: number): Promise<Answer> {
  if (!controls.some(({ current }) => current().armed)) return { lines: ['Trading is disarmed already.'] };
  const data = `${DISARM_PREFIX}${userId}:${clock.now() + CONFIRM_WITHIN_MS}`;
  return {
    lines: ['Disarm trading? No order leaves any more, and open orders are canceled. Confirm within a minute.'],
    buttons: [{ label: 'Disarm Now', data }],
  };
}

/** Answers the line shown to the user who pressed. A button works for the user who asked, while listed and fresh. */
async function confirmDisarm(
  runtime: Runtime,
  { controls }: Desk,
  { commandUserIds }: Destination,
  { data, userId, by }: Press,
): Promise<string> {
  const [, asker, until] = /^disarm:(\d{1,15}):(\d{1,15})$/.exec(data) ?? [];
  if (!commandUserIds.includes(userId) || Number(asker) !== userId)
    return 'Only the person who asked can use this button.';
  if (runtime.clock.now() > Number(until)) return 'Too late: send /disarm again.';
  const actor = { id: null, email: null, address: `telegram ${by}` };
  const disarmed = await disarm(runtime, controls, { actor });
  return disarmed.kind === 'held' ? heldInWords(HALTED, disarmed) : 'Trading is disarmed.';
}

function cut(text: string): string {
  return text.length <= NAME_MAX ? text : `${text.slice(0, NAME_MAX)}…`;
}
