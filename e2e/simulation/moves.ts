/** Random moves: of operators, of the market, of the exchange, of the network and of the machine. */
import { OPERATORS } from './operator-moves.ts';
import type { Simulation } from './simulation.ts';
import { SURROUNDINGS } from './surrounding-moves.ts';

/** `weight`: how often it happens compared with the others. */
export type Move = { name: string; weight: number; act: (simulation: Simulation) => void | Promise<void> };

const LOTS = [...OPERATORS, ...SURROUNDINGS].flatMap((move) => Array.from({ length: move.weight }, () => move));

/** One move, by weight. */
export async function makeMove(simulation: Simulation): Promise<void> {
  const move = simulation.random.pick(LOTS);
  if (move === undefined) return;
  simulation.tell(move.name);
  await move.act(simulation);
}
