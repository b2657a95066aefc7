import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import { drop, jsonOf } from '../../http/raw-calls.ts';
import type { Chain } from '../chain.ts';
import { RpcError } from './error.ts';
import { RPC_METHODS } from './methods.ts';
import { paramsOf } from './params.ts';
import { signedTransaction } from './raw-transaction.ts';
import { ChainView } from './view.ts';

const CALLS_MAX = 100;
const BLOCKS_BEHIND = 3;

const envelope = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

/** The connection breaks instead of an answer. */
const LOST = Symbol('lost');

export interface RpcParts {
  readonly chain: Chain;
  readonly faults: Faults;
}

/** A node of the chain: JSON-RPC, one call or up to a hundred in one body. Both paths lead to the same node. */
export function registerRpc(app: FastifyInstance, parts: RpcParts): void {
  const node = { ...parts, isOddAnswer: false };
  for (const path of ['/_chain/rpc', '/_chain/rpc2']) {
    app.post(path, (request, reply) => answer(node, request, reply));
  }
}

interface Node extends RpcParts {
  /** Nodes behind one address answer one after another. */
  isOddAnswer: boolean;
}

async function answer(node: Node, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (node.faults.strike('rpc_5xx') !== undefined) return reply.code(503).send({ error: 'service unavailable' });
  const body = jsonOf(request.body);
  if (body === undefined) return failed(null, new RpcError(-32_700, 'parse error'));
  if (!Array.isArray(body)) {
    const answered = await answerCall(node, body);
    return answered === LOST ? drop(reply) : answered;
  }
  if (body.length === 0 || body.length > CALLS_MAX) {
    return failed(null, new RpcError(-32_600, `a batch has from 1 to ${CALLS_MAX} calls`));
  }
  const answers: unknown[] = [];
  for (const call of body) answers.push(await answerCall(node, call));
  return answers.includes(LOST) ? drop(reply) : answers;
}

async function answerCall(node: Node, body: unknown): Promise<unknown> {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return failed(null, new RpcError(-32_600, 'invalid request'));
  const { id = null, method, params } = parsed.data;
  try {
    if (method === 'eth_sendRawTransaction') {
      const sent = await send(node, params);
      return sent === LOST ? LOST : { jsonrpc: '2.0', id, result: sent };
    }
    const known = Object.hasOwn(RPC_METHODS, method) ? RPC_METHODS[method] : undefined;
    if (known === undefined) throw new RpcError(-32_601, `the method ${method} does not exist/is not available`);
    const result = known(params, new ChainView(node.chain, blocksBehind(node)), node.chain);
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (error instanceof RpcError) return failed(id, error);
    throw error;
  }
}

async function send({ chain, faults }: Node, params: readonly unknown[]): Promise<string | typeof LOST> {
  const [raw] = paramsOf([z.string()], params);
  const lost = faults.strike('chain_answer_lost');
  if (lost?.before === true) return LOST;
  const transaction = await signedTransaction(raw);
  if (faults.strike('chain_nonce_taken') !== undefined) chain.burnNonce(transaction.from);
  chain.submit(transaction);
  return lost === undefined ? transaction.hash : LOST;
}

function blocksBehind(node: Node): number {
  const behind = node.faults.strike('rpc_behind');
  if (behind !== undefined) return behind.blocks ?? BLOCKS_BEHIND;
  node.isOddAnswer = !node.isOddAnswer;
  const other = node.isOddAnswer ? node.faults.strike('rpc_disagree') : undefined;
  return other === undefined ? 0 : (other.blocks ?? BLOCKS_BEHIND);
}

function failed(id: string | number | null, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
