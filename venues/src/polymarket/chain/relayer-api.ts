import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { z } from 'zod';
import { createJsonApi, TOO_MANY_REQUESTS } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import type { MergeQuota, SubmitOutcome } from '../../venue-chain.ts';
import { callFailure, type Secrets } from '../errors.ts';

export type WalletType = 'PROXY' | 'SAFE' | 'WALLET';

/** What is signed and sent; `metadata` comes back with what became of it. */
export type RelayRequest = { type: WalletType; nonce: string; signature: string; metadata: string } & Record<
  string,
  unknown
>;

/** A submission as the relayer lists it. */
const relayed = z.object({
  transactionID: z.string(),
  transactionHash: z.string().nullish(),
  proxyAddress: z.string().nullish(),
  nonce: z.union([z.string(), z.number()]).transform(String),
  state: z.string(),
  metadata: z.string().nullish(),
  signature: z.string().nullish(),
  errorMsg: z.string().nullish(),
});
export type Relayed = z.infer<typeof relayed>;

const taken = z.object({ transactionID: z.string().min(1) });
const noncePayload = z.object({
  nonce: z.union([z.string().regex(/^\d{1,15}$/), z.number()]).transform(Number),
  address: z.string().optional(),
});

const SECOND_MS = 1_000;
const RESETS_IN = /resets in (\d{1,7}) seconds/i;
const QUOTA = /quota exceeded/i;
/** An earlier call may have submitted this batch already. */
const USED_NONCE = /nonce/i;
const REFUSING = [400, 401, 403, 404];

export type RelayerApi = {
  /** The next nonce of the key's wallet, and who relays for it where that is signed too. Throws VenueUnavailable. */
  nonce(type: WalletType): Promise<{ nonce: number; relay: string | undefined }>;
  /** Never throws. */
  submit(request: RelayRequest): Promise<SubmitOutcome>;
  /** The submission by the id that `submit` returned; null where the relayer does not have it. @throws VenueUnavailable */
  one(id: string): Promise<Relayed | null>;
  /** The newest submissions of the key. Throws VenueUnavailable. */
  recent(): Promise<Relayed[]>;
  quota(): MergeQuota | null;
};

export type RelayerParts = {
  url: string;
  key: string;
  /** Whose key it is, and who signs. */
  owner: string;
  timeoutMs: number;
  runtime: VenueRuntime;
  secrets: Secrets;
};

export function openRelayerApi({ url, key, owner, timeoutMs, runtime, secrets }: RelayerParts): RelayerApi {
  const api = createJsonApi(url, timeoutMs, runtime);
  const headers = { RELAYER_API_KEY: key, RELAYER_API_KEY_ADDRESS: owner };
  let quota: MergeQuota | null = null;
  return {
    nonce: async (type) => {
      const path = type === 'PROXY' ? '/relay-payload' : '/nonce';
      const answer = noncePayload.safeParse(await api.get(path, { address: owner, type }));
      if (!answer.success) throw new VenueUnavailable('the relayer did not say the nonce');
      return { nonce: answer.data.nonce, relay: answer.data.address };
    },
    submit: async (request) => {
      try {
        const answer = taken.safeParse(await api.post('/submit', request, 'trading', headers));
        if (answer.success) return { kind: 'sent', id: answer.data.transactionID };
        return { kind: 'unknown', reason: 'the relayer did not say what it calls the submission' };
      } catch (error) {
        const outcome = refusedBy(error, secrets, runtime.now());
        if (outcome.kind === 'quota_exceeded') quota = { left: 0, resetsAt: outcome.resetsAt };
        return outcome;
      }
    },
    one: async (id) => {
      const answer = z.array(relayed).safeParse(await api.get('/transaction', { id }));
      if (!answer.success) throw new VenueUnavailable('the relayer did not answer with a submission');
      return answer.data.find(({ transactionID }) => transactionID === id) ?? null;
    },
    recent: async () => {
      const answer = z.array(relayed).safeParse(await api.get('/transactions', {}, { headers }));
      if (!answer.success) throw new VenueUnavailable('the relayer did not answer with its submissions');
      return answer.data;
    },
    quota: () => (quota !== null && quota.resetsAt > runtime.now() ? quota : null),
  };
}

/** Judges a submission that was not taken for sure. What the relayer says of a nonce proves nothing: it may be our own that has used it. */
function refusedBy(error: unknown, secrets: Secrets, now: Instant): SubmitOutcome {
  const { status, text } = callFailure(error);
  const reason = secrets.clean(text) || 'no answer';
  if (status === TOO_MANY_REQUESTS) {
    const seconds = Number(RESETS_IN.exec(text)?.[1] ?? 1);
    const kind = QUOTA.test(text) ? 'quota_exceeded' : 'rate_limited';
    return { kind, reason, resetsAt: instantFromMs(now + seconds * SECOND_MS) };
  }
  if (status !== null && REFUSING.includes(status) && !USED_NONCE.test(text)) return { kind: 'refused', reason };
  return { kind: 'unknown', reason };
}
