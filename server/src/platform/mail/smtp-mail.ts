import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import type { Mail } from '../runtime/mail.ts';
import type { Clock } from '../runtime/runtime.ts';
import { MailNotSent } from './mail-not-sent.ts';

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 20_000;
const SEND_WITHIN_MS = 60_000;

/**
 * Hands letters to the mail server at `smtpUrl`. `smtps:` is TLS from the start. `smtp:` is upgraded to TLS where the
 * server offers it, and must be before a password is sent; within this machine it stays plain.
 */
export function smtpMail(smtpUrl: string, from: string, clock: Clock): Mail {
  const { options, password } = smtpOptions(new URL(smtpUrl));
  const transport = createTransport(options);
  return {
    send: async (letter, signal) => {
      const late = AbortSignal.timeout(SEND_WITHIN_MS);
      const givenUp = signal ? AbortSignal.any([signal, late]) : late;
      try {
        await transport.sendMail({ ...letter, from, date: new Date(clock.now()), xMailer: false, signal: givenUp });
      } catch (error) {
        throw new MailNotSent(late.aborted ? 'the mail server took too long' : reported(error, password));
      }
    },
  };
}

function smtpOptions(url: URL): { options: SMTPTransportOptions; password: string } {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isWithinMachine = ['localhost', '127.0.0.1', '::1'].includes(host);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const options = {
    host,
    ...(url.port && { port: Number(url.port) }),
    ...(user && { auth: { user, pass: password } }),
    secure: url.protocol === 'smtps:',
    requireTLS: user !== '' && !isWithinMachine,
    ignoreTLS: isWithinMachine,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    // An aborted letter is not to keep the process from ending.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return { options, password };
}

/** What went wrong, without what the mail server may have repeated of the password. */
function reported(error: unknown, password: string): string {
  const text = error instanceof Error ? error.message : String(error);
  return password === '' ? text : text.replaceAll(password, '[secret]');
}
