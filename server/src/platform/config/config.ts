import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import path from 'node:path';
import { email as emailRule } from '@dutchbook/contract/rules/people-rules.ts';
import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { POLYMARKET_DEFAULTS, type SignatureType } from '@dutchbook/venues/polymarket/config.ts';
import { checksummedAddress, expectedFunder } from '@dutchbook/venues/polymarket/funder.ts';
import type { Config, Role, VenueAccess } from '../runtime/config.ts';
import { type CrashAt, parseCrashAt } from '../runtime/crash-point.ts';
import { readChainAccess } from './chain-access.ts';
import { newKalshiKey, readKalshi } from './kalshi-access.ts';
import { keptSecret } from './kept-secret.ts';
import { type Asked, askedVenue, readPaper } from './paper.ts';
import { isLoopbackHost, mayBePublicHost } from './public-address.ts';
import { type Variables, variables } from './variables.ts';

const ROLES = ['api', 'engine', 'jobs'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

const SECRET_KEY_MIN = 32;
const SUPERUSER_PASSWORD_MIN = 8;
const SUPERUSER_PASSWORD_MAX = 128;

/** An address, alone or in angle brackets after a name. */
const SENDER = /^(?:[^<>@"]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
const DEFAULT_SENDER = 'Dutchbook <dutchbook@localhost>';

const TELEGRAM_API_ROOT = 'https://api.telegram.org';

/** One or more variables are wrong or missing; the message names each and says what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The configuration of the process. Makes the secrets it was not given. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = variables(env);
  const dataDir = path.resolve(read.text('DATA_DIR') ?? './data');
  const asked = askedVenue(read);
  const venueMode = readVenueMode(read, asked);
  const config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.wholeNumber('PORT', 8000, 0, 65_535),
    dataDir,
    databaseUrl: read.text('DATABASE_URL') && read.url('DATABASE_URL', ['postgres:', 'postgresql:'], null),
    firstSuperuser: readFirstSuperuser(read),
    firstSizePolicy: read.choice(
      'FIRST_SIZE_POLICY',
      ['smallest', 'best'],
      modeOf(venueMode).world === 'real' ? 'smallest' : 'best',
    ),
    venueMode,
    paper: readPaper(read, venueMode, asked),
    polymarket: readPolymarket(read, venueMode),
    venues: readVenues(read, venueMode, asked),
    kalshi: readKalshi(read, venueMode, asked),
    discovery: read.choice('DISCOVERY', ['on', 'off'], 'on') === 'on',
    signUp: read.choice('SIGNUP', ['open', 'approval', 'off'], modeOf(venueMode).onExchange ? 'open' : 'approval'),
    smtpUrl: read.text('SMTP_URL') && read.url('SMTP_URL', ['smtp:', 'smtps:'], null),
    mailFrom: readMatching(read, 'MAIL_FROM', SENDER, 'an email address, or Name <address>') ?? DEFAULT_SENDER,
    telegramApiRoot: readTelegramRoot(read),
    publicUrl: read.text('PUBLIC_URL') && read.url('PUBLIC_URL', ['http:', 'https:'], null),
    trustedProxies: readTrustedProxies(read),
    saleLossWarning: read.wholeNumber('SALE_LOSS_WARNING', 5, 0, 100),
    practiceCash: usdFromNumber(read.wholeNumber('PRACTICE_CASH', 1000, 1, 1_000_000_000)),
    rateLimit: read.choice('RATE_LIMIT', ['on', 'off'], 'on') === 'on',
    apiDocumentAtStart: read.choice('API_DOCUMENT', ['at_start', 'when_asked'], 'at_start') === 'at_start',
    recording: readRecording(read, venueMode),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    roles: readRoles(read),
    crashAt: readCrashAt(read, venueMode),
  };
  const givenSecretKey = readSecretKey(read);
  if (read.complaints().length > 0) throw new ConfigError(read.complaints().join('\n'));
  return { ...config, ...secretsFor(config, givenSecretKey) };
}

/** Without it a real venue is read only. */
const KEYS: Readonly<Record<VenueName, string>> = { polymarket: 'POLYMARKET_PRIVATE_KEY', kalshi: 'KALSHI_KEY_ID' };

function mayTrade(read: Variables, venue: VenueName): boolean {
  return read.text(KEYS[venue]) !== null;
}

function readVenueMode(read: Variables, { onPaper, venues }: Asked): VenueMode {
  const [first, ...others] = venues;
  if (onPaper && others.length > 0) return 'paper_several';
  if (onPaper) return first === 'kalshi' ? 'paper_kalshi' : 'paper';
  if (first === undefined) return read.text('EXCHANGE_REPLAY') === null ? 'simulated' : 'replay';
  const suffix = venues.some((venue) => mayTrade(read, venue)) ? 'live' : 'read_only';
  if (others.length > 0) return `several_${suffix}`;
  return `${first}_${suffix}`;
}

/**
 * On the simulated exchange those of which the starter says where they listen; a recording is of one. A venue without a key is read
 * only beside another that trades.
 */
function readVenues(read: Variables, venueMode: VenueMode, asked: Asked): Config['venues'] {
  const { onExchange = false } = modeOf(venueMode);
  if (asked.onPaper) return new Map(asked.venues.map((name) => [name, { isReadOnly: false }]));
  if (!onExchange) return new Map(asked.venues.map((name) => [name, { isReadOnly: !mayTrade(read, name) }]));
  const isReadOnly = venueMode === 'replay';
  const hasBoth = venueMode === 'simulated' && read.text('KALSHI_API_URL') !== null;
  return new Map(VENUE_NAMES.slice(0, hasBoth ? 2 : 1).map((name) => [name, { isReadOnly }]));
}

/** What is played again was recorded before. */
function readRecording(read: Variables, venueMode: VenueMode): Config['recording'] {
  return {
    isOn: read.choice('RECORDING', ['on', 'off'], 'on') === 'on' && venueMode !== 'replay',
    maxBytes: read.wholeNumber('RECORDING_MAX_BYTES', 2_000_000_000, 10_000_000, 1_000_000_000_000),
    days: read.wholeNumber('RECORDING_DAYS', 7, 1, 3650),
    batchesMaxBytes: read.wholeNumber('RECORDING_BATCHES_MAX_BYTES', 500_000_000, 1_000_000, 1_000_000_000_000),
  };
}

/** The simulated venue has no address of its own: the starter of the exchange says where it listens. */
function readPolymarket(read: Variables, venueMode: VenueMode): VenueAccess {
  const own = (url: string) => (modeOf(venueMode).onExchange ? null : url);
  const url = (name: string, protocols: readonly string[], fallback: string | null) => {
    const given = read.url(name, protocols, fallback);
    if (modeOf(venueMode).onExchange && isOfRealVenue(read.text(name)))
      read.complain(name, 'an address of the simulated exchange, or VENUE=polymarket');
    return given;
  };
  const clobUrl = url('POLYMARKET_CLOB_URL', ['http:', 'https:'], own(POLYMARKET_DEFAULTS.clobUrl));
  const privateKey =
    modeOf(venueMode).world === 'paper'
      ? null
      : readMatching(read, 'POLYMARKET_PRIVATE_KEY', PRIVATE_KEY, '0x and 64 hexadecimal digits');
  const signatureType = read.wholeNumber('POLYMARKET_SIGNATURE_TYPE', 0, 0, 3) as SignatureType;
  return {
    clobUrl,
    gammaUrl: url('POLYMARKET_GAMMA_URL', ['http:', 'https:'], own(POLYMARKET_DEFAULTS.gammaUrl)),
    dataUrl: url('POLYMARKET_DATA_URL', ['http:', 'https:'], dataUrlOf(clobUrl, venueMode)),
    wsUrl: url('POLYMARKET_WS_URL', ['ws:', 'wss:'], own(POLYMARKET_DEFAULTS.wsUrl)),
    privateKey,
    funder: readFunder(read, { privateKey, signatureType, venueMode }),
    signatureType,
    chain: readChainAccess(read, venueMode, clobUrl),
  };
}

/** The simulated exchange is armed without limits: orders of that must never reach the venue itself. */
function isOfRealVenue(url: string | null): boolean {
  return /(^|\.)polymarket\.com\.?$/.test(URL.parse(url ?? '')?.hostname ?? '');
}

/**
 * The simulated exchange serves it below its own address, so that this one may be left out. An exchange that is not named is
 * complained of by that name alone.
 */
function dataUrlOf(clobUrl: string, venueMode: VenueMode): string {
  return modeOf(venueMode).onExchange && clobUrl !== '' ? `${clobUrl}/data-api` : POLYMARKET_DEFAULTS.dataUrl;
}

type FunderOf = { privateKey: string | null; signatureType: SignatureType; venueMode: VenueMode };

/** Wallets of the simulated exchange are those that are named to it; of a plain key there is only one anywhere. */
function readFunder(read: Variables, { privateKey, signatureType, venueMode }: FunderOf): string | null {
  const given = read.text('POLYMARKET_FUNDER');
  const funder = given === null ? null : checksummedAddress(given);
  if (given !== null && funder === null)
    read.complain(
      'POLYMARKET_FUNDER',
      'an address: 0x and 40 hexadecimal digits, in one case or with a right checksum',
    );
  const isDerived = signatureType === 0 || !modeOf(venueMode).onExchange;
  if (funder !== null && isDerived && privateKey !== null && PRIVATE_KEY.test(privateKey)) {
    const expected = expectedFunder(privateKey as `0x${string}`, funder, signatureType);
    if (expected !== null) read.complain('POLYMARKET_FUNDER', expected);
  }
  return funder;
}

function readMatching(read: Variables, name: string, pattern: RegExp, expected: string): string | null {
  const given = read.text(name);
  if (given !== null && !pattern.test(given)) read.complain(name, expected);
  return given;
}

function readFirstSuperuser(read: Variables): Config['firstSuperuser'] {
  const email = read.text('FIRST_SUPERUSER') ?? 'admin@example.com';
  // By the rule of the login form, which would refuse any other.
  if (!emailRule.safeParse(email).success) read.complain('FIRST_SUPERUSER', 'an email address, as name@example.com');
  const password = read.text('FIRST_SUPERUSER_PASSWORD');
  const length = password?.length ?? SUPERUSER_PASSWORD_MIN;
  if (length < SUPERUSER_PASSWORD_MIN || length > SUPERUSER_PASSWORD_MAX)
    read.complain('FIRST_SUPERUSER_PASSWORD', `${SUPERUSER_PASSWORD_MIN} to ${SUPERUSER_PASSWORD_MAX} characters`);
  return { email, password };
}

/** Nothing in this machine's network: an address there is one that a caller from outside could not reach. */
function readTelegramRoot(read: Variables): string {
  const root = read.url('TELEGRAM_API_ROOT', ['http:', 'https:'], TELEGRAM_API_ROOT);
  const url = URL.parse(root);
  if (url === null) return root;
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const isAllowed = isLoopbackHost(url.hostname) || (url.protocol === 'https:' && mayBePublicHost(url.hostname));
  if (!isPlain || !isAllowed) {
    read.complain('TELEGRAM_API_ROOT', 'an https:// URL of a public server, or one within this machine');
  }
  return root;
}

function readTrustedProxies(read: Variables): string[] {
  const given = read.text('TRUSTED_PROXIES')?.split(',') ?? [];
  const proxies = given.map((proxy) => proxy.trim());
  if (!proxies.every(isAddressOrNetwork))
    read.complain('TRUSTED_PROXIES', 'addresses or networks as 10.0.0.0/8, separated by commas');
  return proxies;
}

function isAddressOrNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && (bits === undefined || (Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)));
}

function readRoles(read: Variables): ReadonlySet<Role> {
  const given = read.text('ROLES');
  if (given === null) return new Set(ROLES);
  const names = given.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (roles.length !== names.length) read.complain('ROLES', `any of ${ROLES.join(', ')}, separated by commas`);
  return new Set(roles);
}

/** For tests alone: where money is at stake nothing ends the process on purpose. */
function readCrashAt(read: Variables, venueMode: VenueMode): CrashAt | null {
  const given = read.text('CRASH_AT');
  if (given === null) return null;
  const crashAt = venueMode === 'simulated' ? parseCrashAt(given) : null;
  const wanted =
    venueMode === 'simulated' ? 'the name of a crash point, or name:passing' : 'it to be unset on a real venue';
  if (crashAt === null) read.complain('CRASH_AT', wanted);
  return crashAt;
}

function readSecretKey(read: Variables): string | null {
  const given = read.text('SECRET_KEY');
  if (given !== null && given.length < SECRET_KEY_MIN)
    read.complain('SECRET_KEY', `at least ${SECRET_KEY_MIN} characters that cannot be guessed`);
  return given;
}

function secretsFor(config: Omit<Config, 'secretKey'>, givenSecretKey: string | null) {
  const secretKey =
    givenSecretKey ?? keptSecret(config.dataDir, 'secret-key', () => randomBytes(48).toString('base64url'));
  const polymarket = { ...config.polymarket, privateKey: privateKeyFor(config) };
  return { secretKey, polymarket, kalshi: { ...config.kalshi, ...kalshiKeysFor(config) } };
}

function kalshiKeysFor({
  venueMode,
  dataDir,
  kalshi: { key, transferKey },
  venues,
}: Omit<Config, 'secretKey'>): Pick<Config['kalshi'], 'key' | 'transferKey'> {
  const { onExchange, keptUnder } = modeOf(venueMode);
  if (!venues.has('kalshi') || onExchange !== true || key !== null) return { key, transferKey };
  const made = (id: string, file: string) => ({ id, privateKey: keptSecret(dataDir, file, newKalshiKey) });
  return {
    key: made('simulated', `${keptUnder}-kalshi-key`),
    transferKey: transferKey ?? made('simulated-transfer', `${keptUnder}-kalshi-transfer-key`),
  };
}

/**
 * On the simulated exchange, on paper too, the trading key is a throw-away one, so that the real signing runs there as well; a replay
 * has none.
 */
function privateKeyFor({ venueMode, dataDir, polymarket }: Omit<Config, 'secretKey'>): string | null {
  if (venueMode === 'replay') return null;
  if (polymarket.privateKey !== null || !modeOf(venueMode).onExchange) return polymarket.privateKey;
  return keptSecret(
    dataDir,
    `${modeOf(venueMode).keptUnder}-private-key`,
    () => `0x${randomBytes(32).toString('hex')}`,
  );
}
