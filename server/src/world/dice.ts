import { randomBytes, randomUUID } from 'node:crypto';
import type { Dice } from './world.ts';

/** The machine's own randomness. */
export const realDice: Dice = { uuid: randomUUID, random: Math.random, bytes: (count) => randomBytes(count) };
