import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { FILL_MODELS, type PaperOptions, REAL_KALSHI, REAL_UPSTREAM, type UpstreamAddresses } from './paper/options.ts';
import type { AutoRedeem } from './settlement/positions.ts';
import type { ExchangeOptions } from './start-exchange.ts';

/** Raised for a setting that cannot be used; the text names it and says what was expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const HIGHEST_PORT = 65_535;

/**
 * The exchange's options from environment variables.
 * @throws SettingError for the first one that is wrong.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): ExchangeOptions {
  const files = (env.EXCHANGE_REPLAY ?? '').split(',').filter((file) => file !== '');
  const speed = replaySpeed(env.EXCHANGE_REPLAY_SPEED || '1');
  const journalFile = env.EXCHANGE_JOURNAL;
  return {
    port: wholeNumber('EXCHANGE_PORT', env.EXCHANGE_PORT || '0', HIGHEST_PORT),
    seed: wholeNumber('EXCHANGE_SEED', env.EXCHANGE_SEED || '1', Number.MAX_SAFE_INTEGER),
    ...(files.length > 0 ? { replay: { files, speed } } : {}),
    ...(journalFile ? { journalFile } : {}),
    autoRedeem: autoRedeem(env.EXCHANGE_AUTO_REDEEM || 'off'),
    ...plantedCounts(env.EXCHANGE_PLANTED || ''),
    paused: flag('EXCHANGE_PAUSED', env.EXCHANGE_PAUSED || 'off'),
    ...paper(env),
  };
}

function paper(env: Readonly<Record<string, string | undefined>>): { paper?: PaperOptions } {
  const { PAPER_UPSTREAM, PAPER_KALSHI_UPSTREAM, PAPER_FILLS, PAPER_CASH } = env;
  if (!PAPER_UPSTREAM && !PAPER_KALSHI_UPSTREAM) return {};
  const fills = FILL_MODELS.find((model) => model === (PAPER_FILLS || 'latency'));
  if (fills === undefined) throw new SettingError(`PAPER_FILLS is ${PAPER_FILLS}, expected touch, latency or survival`);
  return {
    paper: {
      ...(PAPER_UPSTREAM ? { upstream: upstream(PAPER_UPSTREAM) } : {}),
      ...(PAPER_KALSHI_UPSTREAM ? { kalshiUpstream: kalshiUpstream(PAPER_KALSHI_UPSTREAM) } : {}),
      fills,
      cash: dollars('PAPER_CASH', PAPER_CASH || '1000'),
    },
  };
}

function kalshiUpstream(text: string): string {
  if (text === 'real') return REAL_KALSHI;
  if (isAddress(text, 'http')) return text.replace(/\/{1,9}$/, '');
  throw new SettingError(`PAPER_KALSHI_UPSTREAM is ${text}, expected real or the address of its REST interface`);
}

function upstream(text: string): UpstreamAddresses {
  if (text === 'real') return REAL_UPSTREAM;
  const [gamma = '', clob = '', ws = '', ...more] = text.split(',').map((part) => part.trim().replace(/\/{1,9}$/, ''));
  const isRead = more.length === 0 && isAddress(gamma, 'http') && isAddress(clob, 'http') && isAddress(ws, 'ws');
  if (isRead) return { gamma, clob, ws };
  throw new SettingError(`PAPER_UPSTREAM is ${text}, expected real or three addresses gamma,clob,ws`);
}

function isAddress(text: string, scheme: 'http' | 'ws'): boolean {
  return URL.canParse(text) && [`${scheme}:`, `${scheme}s:`].includes(new URL(text).protocol);
}

const CASH_MAX = usdFromText('1000000000');

function dollars(name: string, text: string): Usd {
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text)) {
    const usd = usdFromText(text);
    if (usd <= CASH_MAX) return usd;
  }
  throw new SettingError(`${name} is ${text}, expected dollars from 0 to 1000000000`);
}

function wholeNumber(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= highest) return value;
  throw new SettingError(`${name} is ${text}, expected a whole number from 0 to ${highest}`);
}

function plantedCounts(text: string): Pick<ExchangeOptions, 'planted'> {
  if (text === '') return {};
  const [events, mispriced, decoys] = text.split(',').map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : -1));
  const isWhole = text.split(',').length === 3 && Math.min(events ?? -1, mispriced ?? -1, decoys ?? -1) >= 0;
  if (
    isWhole &&
    events !== undefined &&
    mispriced !== undefined &&
    decoys !== undefined &&
    mispriced + decoys <= events
  )
    return { planted: { events, mispriced, decoys } };
  throw new SettingError(
    `EXCHANGE_PLANTED is ${text}, expected events,mispriced,decoys as whole numbers, no more wrong ones than events`,
  );
}

function autoRedeem(text: string): AutoRedeem {
  if (text === 'off') return { isOn: false, delayMs: 0 };
  if (/^\d{1,9}$/.test(text)) return { isOn: true, delayMs: Number(text) };
  throw new SettingError(`EXCHANGE_AUTO_REDEEM is ${text}, expected off or a delay in milliseconds`);
}

function flag(name: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new SettingError(`${name} is ${text}, expected on or off`);
}

function replaySpeed(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const speed = Number(text);
  if (Number.isFinite(speed) && speed > 0) return speed;
  throw new SettingError(`EXCHANGE_REPLAY_SPEED is ${text}, expected a positive number or max`);
}
