import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from './runtime.ts';

/** The machine's own randomness. */
export const systemRandom: Random = { uuid: randomUUID, fraction: Math.random, bytes: (count) => randomBytes(count) };
