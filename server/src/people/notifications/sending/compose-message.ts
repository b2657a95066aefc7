import { id as wholeId } from '@dutchbook/contract/listing.ts';
import { noticeOf } from '@dutchbook/contract/notification-types.ts';
import * as z from 'zod/mini';
import { mayBePublicHost } from '../../../platform/config/public-address.ts';
import { escapeHtml } from '../../../platform/mail/escape-html.ts';
import type { ChatButton } from '../../../platform/runtime/chat.ts';
import type { NotificationRow } from '../store.ts';

/** Telegram takes 4,096 characters without the marks; some are left for the mark of paper trading, the title and the address. */
const TEXT_MAX = 3600;
const DIGEST_LINE_MAX = 200;
const ADDRESS_MAX = 300;

export const MUTE_PREFIX = 'mute:';

export function isMutable({ notificationType }: Pick<NotificationRow, 'notificationType'>): boolean {
  return noticeOf(notificationType)?.mutable !== false;
}

/** Telegram's HTML for one notification, or for several in one message, and the buttons under it. */
export function composeMessage(
  records: readonly NotificationRow[],
  webUrl: string,
  someoneMayMute: boolean,
): { html: string; buttons: ChatButton[] } {
  const [first, ...more] = records;
  if (first === undefined) throw new Error('a message about nothing');
  return more.length === 0 ? aboutOne(first, webUrl, someoneMayMute) : aboutMany(records, webUrl);
}

function aboutOne(
  record: NotificationRow,
  webUrl: string,
  someoneMayMute: boolean,
): { html: string; buttons: ChatButton[] } {
  const address = `${webUrl}${screenOf(record)}`;
  const html = [
    `<b>${titleOf(record)}</b>`,
    escapeHtml(cut(record.message, TEXT_MAX)),
    escapeHtml(cut(address, ADDRESS_MAX)),
  ].join('\n\n');
  const mute = { label: 'Mute 1 h', data: `${MUTE_PREFIX}${record.id}` };
  const hasMute = someoneMayMute && record.notificationType !== 'test' && isMutable(record);
  return { html, buttons: [...openButtons(address), ...(hasMute ? [mute] : [])] };
}

/** How many of each type, then as many of them as there is room for. */
function aboutMany(records: readonly NotificationRow[], webUrl: string): { html: string; buttons: ChatButton[] } {
  const address = `${webUrl}/notifications`;
  const counts = [...Map.groupBy(records, titleOf)].map(([title, { length }]) => `${title}: ${length}`);
  const lines: string[] = [];
  let room = TEXT_MAX - counts.join('\n').length;
  for (const { message } of records) {
    const line = `• ${cut(message.replaceAll(/\s+/g, ' '), DIGEST_LINE_MAX)}`;
    if (line.length >= room) break;
    room -= line.length + 1;
    lines.push(line);
  }
  const left = records.length - lines.length;
  const parts = [
    `<b>${records.length} notifications</b>`,
    escapeHtml(counts.join('\n')),
    escapeHtml([...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n')),
    escapeHtml(cut(address, ADDRESS_MAX)),
  ];
  return { html: parts.join('\n\n'), buttons: openButtons(address) };
}

/** Telegram takes no button to an address that only this machine knows; as text it stands in the message anyway. */
function openButtons(address: string): ChatButton[] {
  const url = URL.parse(address);
  return url !== null && mayBePublicHost(url.hostname) ? [{ label: 'Open', url: url.href }] : [];
}

/** A type of a later version is shown by its own name. */
function titleOf({ notificationType }: NotificationRow): string {
  return noticeOf(notificationType)?.title ?? escapeHtml(cut(notificationType, 100));
}

/** The screen on which there is something to do about it. */
function screenOf({ id, opportunityId, data }: NotificationRow): string {
  const { batch_id: batchId, submission_id: submissionId } = data;
  if (z.safeParse(wholeId, batchId).success) return `/batches/${batchId}`;
  if (z.safeParse(wholeId, submissionId).success) return `/submissions/${submissionId}`;
  return opportunityId === null ? `/notifications/${id}` : `/arbitrage/${opportunityId}`;
}

/** At most so many UTF-16 units, which is what Telegram counts, and no half characters. */
function cut(text: string, max: number): string {
  const whole = text.toWellFormed();
  return whole.length <= max ? whole : `${whole.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
