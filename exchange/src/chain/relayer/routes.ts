import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import { drop, jsonOf } from '../../http/raw-calls.ts';
import type { Chain } from '../chain.ts';
import { address } from '../rpc/params.ts';
import type { Relayed, Relayer } from './relayer.ts';
import { submitBody } from './submission.ts';

export interface RelayerParts {
  readonly chain: Chain;
  readonly faults: Faults;
  readonly relayer: Relayer;
}

const PAGE = 100;
/** Who a proxy wallet's request names as its relay. */
const RELAY = '0x0000000000000000000000000000000000000137';
const addressQuery = z.object({ address, type: z.enum(['SAFE', 'PROXY', 'WALLET']).default('SAFE') });

/** The relayer under `/relayer`. Keys are not issued here: any will do, if its owner is named. */
export function registerRelayer(app: FastifyInstance, parts: RelayerParts): void {
  const { chain, relayer } = parts;
  const nonceOf = (request: FastifyRequest): string | undefined => {
    const asked = addressQuery.safeParse(request.query);
    if (!asked.success) return undefined;
    const { address: of, type } = asked.data;
    const wallet = chain.wallets.isDeployed(of) ? of : relayer.walletOf(of, type);
    return String(wallet === undefined ? 0 : relayer.nonce(wallet));
  };
  app.get('/relayer/nonce', (request, reply) => {
    const nonce = nonceOf(request);
    return nonce === undefined ? refuse(reply, 400, 'invalid address or type') : reply.send({ nonce });
  });
  app.get('/relayer/relay-payload', (request, reply) => {
    const nonce = nonceOf(request);
    if (nonce === undefined) return refuse(reply, 400, 'invalid address or type');
    return reply.send({ address: RELAY, nonce });
  });
  app.get('/relayer/deployed', (request, reply) => {
    const asked = z.object({ address }).safeParse(request.query);
    if (!asked.success) return refuse(reply, 400, 'invalid address');
    return reply.send({ deployed: chain.wallets.isDeployed(asked.data.address) });
  });
  app.get('/relayer/transaction', (request, reply) => {
    const { id } = z.object({ id: z.string().default('') }).parse(request.query);
    const relayed = relayer.get(id);
    return reply.send(relayed === undefined ? [] : [wireRelayed(relayed, relayer)]);
  });
  app.get('/relayer/transactions', (request, reply) => {
    const owner = ownerOf(request);
    if (owner === undefined) return refuse(reply, 401, 'invalid authorization');
    return reply.send(
      relayer
        .of(owner)
        .slice(0, PAGE)
        .map((one) => wireRelayed(one, relayer)),
    );
  });
  app.post('/relayer/submit', (request, reply) => submit(parts, request, reply));
}

async function submit({ relayer, faults }: RelayerParts, request: FastifyRequest, reply: FastifyReply) {
  if (faults.strike('relayer_5xx') !== undefined) return refuse(reply, 502, 'bad gateway');
  const lost = faults.strike('chain_answer_lost');
  if (lost?.before === true) return drop(reply);
  if (ownerOf(request) === undefined) return refuse(reply, 401, 'invalid authorization');
  const body = submitBody.safeParse(jsonOf(request.body));
  if (!body.success) return refuse(reply, 400, `invalid request: ${z.prettifyError(body.error)}`);
  const taken = relayer.submit(body.data);
  if (lost !== undefined) return drop(reply);
  if ('error' in taken) return refuse(reply, taken.status, taken.error);
  return reply.send({ transactionID: taken.id, transactionHash: taken.hash, state: relayer.stateOf(taken) });
}

/** Whose key signs the request: a key of the relayer's own, or a builder's. */
function ownerOf({ headers }: FastifyRequest): string | undefined {
  const key = headers.relayer_api_key;
  if (typeof key === 'string' && key !== '') {
    const owner = headers.relayer_api_key_address;
    return typeof owner === 'string' && address.safeParse(owner).success ? owner : undefined;
  }
  const builder = headers.poly_builder_api_key;
  return typeof builder === 'string' && builder !== '' ? '' : undefined;
}

function wireRelayed(relayed: Relayed, relayer: Relayer) {
  const at = new Date(relayed.atMs).toISOString();
  return {
    transactionID: relayed.id,
    transactionHash: relayed.hash,
    from: relayed.from,
    to: relayed.to,
    proxyAddress: relayed.wallet,
    data: relayed.calls[0]?.data ?? '0x',
    nonce: String(relayed.nonce),
    value: '0',
    state: relayer.stateOf(relayed),
    type: relayed.type,
    metadata: relayed.metadata,
    signature: relayed.signature,
    ...(relayed.givenUp === undefined ? {} : { errorMsg: relayed.givenUp }),
    createdAt: at,
    updatedAt: at,
  };
}

function refuse(reply: FastifyReply, status: number, error: string) {
  return reply.code(status).send({ error });
}
