import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import type { NotificationRow } from '../store.ts';
import { composeMessage } from './compose-message.ts';

const BATCH = '11111111-1111-4111-8111-111111111111';
const SUBMISSION = '44444444-4444-4444-8444-444444444444';
const OPPORTUNITY = '22222222-2222-4222-8222-222222222222';

function row(fields: Partial<NotificationRow>): NotificationRow {
  return {
    id: '33333333-3333-4333-8333-333333333333',
    opportunityId: null,
    notificationType: 'leg_risk',
    message: 'A batch is unhedged',
    status: 'pending',
    sentAt: null,
    attempts: 0,
    createdAt: instantFromMs(0),
    updatedAt: instantFromMs(0),
    errorMessage: null,
    data: {},
    seq: 1,
    topic: 'leg_risk:',
    triesLeft: 5,
    retriedAt: null,
    sendingId: null,
    ...fields,
  };
}

const html = (...records: NotificationRow[]) => composeMessage(records, 'https://desk.example', true).html;

/** What Telegram counts: the text without its marks. */
const shown = (text: string) => text.replaceAll(/<\/?b>/g, '').replaceAll(/&(?:lt|gt|amp|quot|#39);/g, 'x');

describe('a message about one notification', () => {
  it('leads to the screen on which there is something to do', () => {
    const about = [
      [row({ data: { batch_id: BATCH }, opportunityId: OPPORTUNITY }), `/batches/${BATCH}`],
      [row({ opportunityId: OPPORTUNITY }), `/arbitrage/${OPPORTUNITY}`],
      [row({ data: { submission_id: SUBMISSION } }), `/submissions/${SUBMISSION}`],
      [row({ data: { batch_id: '../admin' } }), '/notifications/33333333-3333-4333-8333-333333333333'],
    ] as const;
    for (const [record, path] of about) {
      const { html: text, buttons } = composeMessage(
        [{ ...record, notificationType: 'batch_failed' }],
        'https://desk.example',
        true,
      );
      expect(text).toBe(`<b>Batch failed</b>\n\nA batch is unhedged\n\nhttps://desk.example${path}`);
      expect(buttons).toEqual([
        { label: 'Open', url: `https://desk.example${path}` },
        { label: 'Mute 1 h', data: `mute:${record.id}` },
      ]);
    }
  });

  it('has no button to an address that only this machine knows, and none to mute a test', () => {
    const { html: text, buttons } = composeMessage([row({ notificationType: 'test' })], 'http://127.0.0.1:8000', true);
    expect(buttons).toEqual([]);
    expect(text).toContain('http://127.0.0.1:8000/notifications/');
  });

  it('is plain text whatever a market is called', () => {
    expect(html(row({ message: '<a href="tg://x">A & B</a>' }))).toContain(
      '&lt;a href=&quot;tg://x&quot;&gt;A &amp; B&lt;/a&gt;',
    );
  });

  it('fits, and ends in no half character', () => {
    const text = html(row({ message: `${'<'.repeat(3598)}${'😀'.repeat(200)}` }));
    expect(shown(text).length).toBeLessThanOrEqual(4096);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('…');
  });
});

describe('a message about many', () => {
  it('says how many of each there are, and as many of them as there is room for', () => {
    const records = Array.from({ length: 500 }, (_, index) => row({ message: `${index}: ${'<&'.repeat(60)}` }));
    const text = html(...records, row({ notificationType: 'kill_switch', message: 'Disarmed' }));
    expect(shown(text).length).toBeLessThanOrEqual(4096);
    expect(text).toMatch(/^<b>501 notifications<\/b>\n\nLeg risk: 500\nKill switch: 1\n\n• 0: /);
    expect(text).toMatch(/and \d+ more/);
    expect(text.endsWith('https://desk.example/notifications')).toBe(true);
  });
});
