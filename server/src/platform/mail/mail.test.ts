import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { systemRandom } from '../runtime/random.ts';
import { testTime } from '../runtime/test-time.ts';
import { openMail } from './mail.ts';
import { MailNotSent } from './mail-not-sent.ts';
import { openMailServer } from './mail-server.fixture.ts';

const LINK = `https://desk.example/reset-password?token=${'x'.repeat(80)}`;

const letter = {
  to: 'ada@example.com',
  subject: 'Something to read',
  text: `What nobody else is to read, été\n${LINK}\n`,
  html: '<p>What nobody else is to read</p>',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Mail as these variables configure it, and what it logs. */
function openWith(variables: Record<string, string>) {
  const logged: string[] = [];
  const config = readConfig({ DATA_DIR: folder, VENUE: 'polymarket', ...variables });
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  return { mail: openMail({ config, clock: testTime().clock, random: systemRandom, log }), logged };
}

describe('mail without a mail server', () => {
  it('is kept for its owner alone, and the log names the file but nothing in it', async () => {
    const { mail, logged } = openWith({ MAIL_FROM: 'Desk <desk@example.com>' });
    await mail.send(letter);
    const kept = path.join(folder, 'mail');
    const [name = ''] = readdirSync(kept);
    expect(name).toMatch(/^2026-01-01T00-00-00\.000Z-[0-9a-f]{8}\.eml$/);
    expect([statSync(kept).mode & 0o777, statSync(path.join(kept, name)).mode & 0o777]).toEqual([0o700, 0o600]);
    const text = readFileSync(path.join(kept, name), 'utf8');
    for (const part of ['From: Desk <desk@example.com>', 'To: ada@example.com', `Subject: ${letter.subject}`])
      expect(text).toContain(`${part}\r\n`);
    expect(text).toContain('Date: Thu, 01 Jan 2026 00:00:00 +0000');
    expect(text).toContain(`${letter.text.replaceAll('\n', '\r\n')}\r\n--`);
    expect(text).toContain(letter.html);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(name);
    expect(logged[0]).not.toMatch(/ada@|nobody else/);
  });
});

describe('mail of paper trading', () => {
  it('says so in its subject and above its text, with the fill model', async () => {
    const { mail } = openWith({
      ...{ VENUE: 'paper', PAPER_FILLS: 'touch', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' },
      ...{ POLYMARKET_GAMMA_URL: 'http://127.0.0.1:1/gamma', POLYMARKET_WS_URL: 'ws://127.0.0.1:1/ws' },
    });
    await mail.send(letter);
    const kept = path.join(folder, 'mail');
    const [name = ''] = readdirSync(kept);
    const text = readFileSync(path.join(kept, name), 'utf8');
    const mark = 'PAPER: no real money, orders are filled by the model touch.';
    expect(text).toContain(`Subject: PAPER: ${letter.subject}\r\n`);
    expect(text).toContain(`${mark}\r\n\r\n${letter.text.split('\n')[0]}`);
    expect(text.replaceAll('=\r\n', '')).toContain(`${mark}</p>`);
  });
});

describe('mail over a mail server', () => {
  it('arrives there as it was written, and is kept nowhere', async () => {
    await using server = await openMailServer('p@ss word');
    const { mail } = openWith({ SMTP_URL: `smtp://desk:p%40ss%20word@127.0.0.1:${server.port}` });
    await mail.send(letter);
    const { to, letter: arrived } = await server.delivery();
    expect(to).toBe('ada@example.com');
    for (const part of ['From: Dutchbook <dutchbook@localhost>', letter.subject, LINK, letter.html])
      expect(arrived).toContain(part);
    expect(readdirSync(folder)).not.toContain('mail');
  });

  it('says why it was not taken, without the password that the server repeats', async () => {
    await using server = await openMailServer('another password');
    const { mail } = openWith({ SMTP_URL: `smtp://desk:hunter2@127.0.0.1:${server.port}` });
    const refused = await mail.send(letter).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MailNotSent);
    expect(String(refused)).toContain('[secret] is not the password');
    expect(JSON.stringify(pino.stdSerializers.err(refused as Error))).not.toContain('hunter2');
    await using closed = await openMailServer();
    await closed[Symbol.asyncDispose]();
    const unanswered = openWith({ SMTP_URL: `smtp://desk:hunter2@127.0.0.1:${closed.port}` }).mail;
    await expect(unanswered.send(letter)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('sends no password in the clear to another machine', async () => {
    await using server = await openMailServer('hunter2');
    // The loopback address in a form that does not look like one.
    const { mail } = openWith({ SMTP_URL: `smtp://desk:hunter2@[::ffff:127.0.0.1]:${server.port}` });
    await expect(mail.send(letter)).rejects.toThrow(/STARTTLS/);
  });

  it('gives up a server that falls silent as soon as it is stopped', async () => {
    await using server = await openMailServer();
    const { mail } = openWith({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    server.next('stall');
    const stopping = new AbortController();
    const sending = mail.send(letter, stopping.signal);
    expect((await server.delivery()).behaviour).toBe('stall');
    stopping.abort(new Error('the process stops'));
    await expect(sending).rejects.toBeInstanceOf(MailNotSent);
  });
});
