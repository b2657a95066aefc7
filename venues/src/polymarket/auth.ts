import type { Instant } from '@dutchbook/units/instant.ts';
import { type ApiKeyCreds, ClobClient, type ClobClientOptions } from '@polymarket/clob-client-v2';
import { signRecoverable } from 'tiny-secp256k1';
import { createWalletClient, custom, isAddress, type WalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import { jitteredBackOffMs, type PolymarketConfig } from './config.ts';
import type { Secrets } from './errors.ts';
import { keyHeaders } from './placing/key-headers.ts';
import type { JsonApi, Query } from './transport.ts';

/** The account we trade as. `maker` holds the money; `address` is the key's own, which API calls are signed with. */
export type TradingAccount = {
  wallet: WalletClient;
  address: string;
  maker: string;
  signatureType: PolymarketConfig['signatureType'];
  /** Signs 32 bytes with the key: r, s and v, as the wallet would. */
  signHash: (hash: `0x${string}`) => `0x${string}`;
};

/**
 * Reads the key of the configuration.
 * @throws Error that names what is wrong, never the key itself.
 */
export function tradingAccount(config: PolymarketConfig, privateKey: string, secrets: Secrets): TradingAccount {
  const digits = privateKey.replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new Error('the private key must be 32 bytes in hexadecimal');
  secrets.add(digits);
  if (config.funder !== null && !isAddress(config.funder, { strict: false })) {
    throw new Error('the funder must be an address: 0x and 40 hexadecimal digits');
  }
  if (config.signatureType !== 0 && config.funder === null) {
    throw new Error(`signature type ${config.signatureType} needs the funder: the wallet that holds the money`);
  }
  const account = accountOf(`0x${digits}`);
  const wallet = createWalletClient({ account, transport: custom({ request: refuseChainCalls }) });
  const key = Buffer.from(digits, 'hex');
  const { signatureType } = config;
  const signHash = (hash: `0x${string}`) => signatureOf(hash, key);
  return { wallet, address: account.address, maker: config.funder ?? account.address, signatureType, signHash };
}

/** The number that is random in a signature follows from hash and key, so that the same is always signed the same. */
function signatureOf(hash: `0x${string}`, key: Uint8Array): `0x${string}` {
  const { signature, recoveryId } = signRecoverable(Buffer.from(hash.slice(2), 'hex'), key);
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recoveryId).toString(16)}`;
}

/** A session with the venue: the client that may place, and the credentials the user stream shows. */
export type Session = {
  client: ClobClient;
  credentials: ApiKeyCreds;
  /** A private read that the client has no safe call for. Throws `VenueUnavailable`. */
  read(path: string, query: Query): Promise<unknown>;
};

/** Where calls find the session. Keys are created in the background, because the venue may come up later than we do. */
export type Sessions = {
  /** Resolves when a first attempt has been made, whatever came of it. */
  firstAttempt: Promise<void>;
  /** The session, or null while the venue has given us no key. */
  current(): Session | null;
  /** The session once it stands; never rejects, and stays open for ever after `close`. */
  established: Promise<Session>;
  /** The venue does not know the key of this session any more: obtains another, unless that has begun already. */
  renew(session: Session): void;
  close(): void;
};

/** Obtains API credentials: created, else derived, tried again with backoff until it succeeds or is closed. */
export function openSessions(
  config: PolymarketConfig,
  account: TradingAccount,
  clob: JsonApi,
  runtime: VenueRuntime,
  secrets: Secrets,
): Sessions {
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const { promise: established, resolve: establish } = Promise.withResolvers<Session>();

  const attempt = async (retries: number): Promise<void> => {
    try {
      const credentials = await createOrDeriveKey(config, account);
      for (const secret of [credentials.key, credentials.secret, credentials.passphrase]) secrets.add(secret);
      session = openSession(config, account, credentials, clob, runtime.now);
      establish(session);
    } catch (error) {
      if (closed) return;
      const waitMs = jitteredBackOffMs(retries, runtime.random, config.stream.backoffMinMs, config.stream.backoffMaxMs);
      const reason = secrets.clean(error instanceof Error ? error.message : String(error));
      runtime.log.warn({ reason, waitMs }, 'venue API key not obtained, repeated');
      timer = setTimeout(() => void attempt(retries + 1), waitMs);
    }
  };

  return {
    firstAttempt: attempt(0),
    current: () => session,
    established,
    renew: (refused) => {
      if (session !== refused || closed) return;
      session = null;
      void attempt(0);
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function openSession(
  config: PolymarketConfig,
  account: TradingAccount,
  credentials: ApiKeyCreds,
  clob: JsonApi,
  now: () => Instant,
): Session {
  return {
    client: openClient(config, account, { creds: credentials, throwOnError: true }),
    credentials,
    read: (path, query) =>
      clob.get(path, query, { headers: keyHeaders(credentials, account.address, { method: 'GET', path }, now()) }),
  };
}

/** With `throwOnError` the client would stop at "could not create" and never derive, so this one answers errors as values. */
async function createOrDeriveKey(config: PolymarketConfig, account: TradingAccount): Promise<ApiKeyCreds> {
  const client = openClient(config, account, { throwOnError: false });
  const credentials = await client.createOrDeriveApiKey();
  const { key, secret, passphrase } = credentials;
  if (!key || !secret || !passphrase) throw new VenueUnavailable('neither creating nor deriving an API key succeeded');
  return credentials;
}

function openClient(
  config: PolymarketConfig,
  account: TradingAccount,
  options: Partial<ClobClientOptions>,
): ClobClient {
  return new ClobClient({
    host: config.clobUrl,
    chain: config.chainId,
    signer: account.wallet,
    signatureType: config.signatureType,
    ...(config.funder === null ? {} : { funderAddress: config.funder }),
    ...options,
  });
}

/** Errors of the library would quote what they were given. */
function accountOf(key: `0x${string}`): ReturnType<typeof privateKeyToAccount> {
  try {
    return privateKeyToAccount(key);
  } catch {
    throw new Error('the private key is not one that signatures can be made with');
  }
}

function refuseChainCalls(): Promise<never> {
  return Promise.reject(new Error('this key signs, it does not call the chain'));
}
