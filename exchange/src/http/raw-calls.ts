import type { FastifyReply } from 'fastify';

/** The JSON of a raw body; undefined when there is none, or when it is malformed. */
export function jsonOf(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Closes the connection without an answer. */
export function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
