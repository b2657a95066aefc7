/** Encodes answers with long lists in slices, so that the event loop serves other calls between two slices. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { ownTick } from '../runtime/slices.ts';

/** Entries encoded in one tick of the event loop: one may be a batch with all its orders. */
const ENTRIES_AT_ONCE = 10;

/** Whether it takes more than one tick to encode. */
export function isLong(answer: unknown): answer is Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) return false;
  return Object.values(answer).some((value) => Array.isArray(value) && value.length > ENTRIES_AT_ONCE);
}

/** An answer shared by several callers is encoded once. */
const encoded = new WeakMap<object, Promise<Buffer[]>>();

/** Sends what its schema encodes, some entries of its lists at a time. */
export async function sendInSlices(
  reply: FastifyReply,
  schema: z.ZodMiniType,
  answer: Record<string, unknown>,
): Promise<FastifyReply> {
  const encoding = encoded.get(answer) ?? encodedInSlices(schema, answer);
  encoded.set(answer, encoding);
  const slices = await encoding;
  const length = slices.reduce((sum, slice) => sum + slice.length, 0);
  return reply.type('application/json; charset=utf-8').header('content-length', length).send(Readable.from(slices));
}

async function encodedInSlices(schema: z.ZodMiniType, answer: Record<string, unknown>): Promise<Buffer[]> {
  const lists = Object.entries(answer).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const empty = { ...answer, ...Object.fromEntries(lists.map(([name]) => [name, []])) };
  const encode = (part: object) => z.encode(schema, { ...empty, ...part }) as Record<string, unknown>;
  const slices: Buffer[] = [];
  for (const [name, value] of Object.entries(encode({}))) {
    slices.push(Buffer.from(`${slices.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    const list = lists.find(([listed]) => listed === name)?.[1] ?? [];
    if (list.length === 0) slices.push(Buffer.from(JSON.stringify(value)));
    for (let from = 0; from < list.length; from += ENTRIES_AT_ONCE) {
      const end = from + ENTRIES_AT_ONCE;
      const json = JSON.stringify(encode({ [name]: list.slice(from, end) })[name]).slice(1, -1);
      slices.push(Buffer.from(`${from === 0 ? '[' : ','}${json}${end < list.length ? '' : ']'}`));
      await ownTick();
    }
  }
  return [...slices, Buffer.from('}')];
}
