import type { Instant } from '@dutchbook/units/instant.ts';
import { signRecoverable } from 'tiny-secp256k1';
import { getAddress, isAddress } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ReadPriority } from '../read-budget.ts';
import type { JsonApi, Query } from '../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import { jitteredBackOffMs, type PolymarketConfig } from './config.ts';
import type { Secrets } from './errors.ts';
import { type AccountCall, type Answer, openSend } from './placing/account-call.ts';
import { type ApiKey, type KeyedCall, keyHeaders } from './placing/key-headers.ts';
import { apiKeyAnswer } from './wire.ts';

/** The account we trade as. `maker` holds the money; `address` is the key's own, which API calls are signed with. */
export type TradingAccount = {
  signer: PrivateKeyAccount;
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
  const signer = accountOf(`0x${digits}`);
  if (config.signatureType === 0 && config.funder !== null && getAddress(config.funder) !== signer.address)
    throw new Error(`with signature type 0 the funder is the key's own address, ${signer.address}`);
  const key = Buffer.from(digits, 'hex');
  const { signatureType } = config;
  const signHash = (hash: `0x${string}`) => signatureOf(hash, key);
  return { signer, address: signer.address, maker: config.funder ?? signer.address, signatureType, signHash };
}

/** The number that is random in a signature follows from hash and key, so that the same is always signed the same. */
function signatureOf(hash: `0x${string}`, key: Uint8Array): `0x${string}` {
  const { signature, recoveryId } = signRecoverable(Buffer.from(hash.slice(2), 'hex'), key);
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recoveryId).toString(16)}`;
}

/** A session with the venue: an API key and the calls it signs. */
export type Session = {
  credentials: ApiKey;
  /** A private read; null where the venue answers with nothing. Throws `VenueUnavailable`, its cause the status if there was one. */
  read(path: string, query: Query, priority?: ReadPriority): Promise<unknown>;
  /** A call that changes something. Throws `VenueUnavailable` when no whole answer came. */
  call(call: KeyedCall): Promise<Answer>;
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
  { clob, call }: { clob: JsonApi; call: AccountCall },
  runtime: VenueRuntime,
  secrets: Secrets,
): Sessions {
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const { promise: established, resolve: establish } = Promise.withResolvers<Session>();

  const attempt = async (retries: number): Promise<void> => {
    try {
      const credentials = await createOrDeriveKey(config, account, runtime);
      for (const secret of [credentials.key, credentials.secret, credentials.passphrase]) secrets.add(secret);
      session = openSession(account, credentials, { clob, call }, runtime.now);
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
  { address }: TradingAccount,
  credentials: ApiKey,
  { clob, call }: { clob: JsonApi; call: AccountCall },
  now: () => Instant,
): Session {
  return {
    credentials,
    read: (path, query, priority) =>
      clob.get(path, query, {
        headers: keyHeaders(credentials, address, { method: 'GET', path }, now()),
        ...(priority === undefined ? {} : { priority }),
      }),
    call: (given) => call(credentials, given),
  };
}

/** The venue creates no second key for an account; the first is derived again. */
async function createOrDeriveKey(
  config: PolymarketConfig,
  { signer }: TradingAccount,
  runtime: VenueRuntime,
): Promise<ApiKey> {
  const send = openSend(config, runtime);
  const reasons: string[] = [];
  for (const call of [CREATE_KEY, DERIVE_KEY]) {
    const { status, text } = await send(call, await ownerHeaders(signer, config.chainId, runtime.now()));
    const answer = apiKeyAnswer.safeParse(text);
    if (status === 200 && answer.success) return answer.data;
    reasons.push(status === 200 ? 'an answer without a key' : `${status}: ${text}`);
  }
  throw new VenueUnavailable(`neither creating nor deriving an API key succeeded: ${reasons.join('; ')}`);
}

const CREATE_KEY: KeyedCall = { method: 'POST', path: '/auth/api-key' };
const DERIVE_KEY: KeyedCall = { method: 'GET', path: '/auth/derive-api-key' };

const OWNERSHIP = {
  primaryType: 'ClobAuth',
  types: {
    ClobAuth: [
      { name: 'address', type: 'address' },
      { name: 'timestamp', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'message', type: 'string' },
    ],
  },
} as const;

/** The headers that prove who owns the wallet: the venue's *L1* authentication, for the first of the keys that an account may have. */
async function ownerHeaders(
  signer: PrivateKeyAccount,
  chainId: number,
  nowMs: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const message = 'This message attests that I control the given wallet';
  const signature = await signer.signTypedData({
    ...OWNERSHIP,
    domain: { name: 'ClobAuthDomain', version: '1', chainId },
    message: { address: signer.address, timestamp, nonce: 0n, message },
  });
  return {
    POLY_ADDRESS: signer.address,
    POLY_SIGNATURE: signature,
    POLY_TIMESTAMP: timestamp,
    POLY_NONCE: '0',
  };
}

/** Errors of the library would quote what they were given. */
function accountOf(key: `0x${string}`): PrivateKeyAccount {
  try {
    return privateKeyToAccount(key);
  } catch {
    throw new Error('the private key is not one that signatures can be made with');
  }
}
