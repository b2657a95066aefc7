/** Random moves: of operators, of the market, of the exchange, of the network and of the machine. */
import { EXIT_MOVES } from './exits/exit-moves.ts';
import { OPERATORS } from './operator-moves.ts';
import type { Simulation } from './simulation.ts';
import { SURROUNDINGS } from './surrounding-moves.ts';

/** `weight`: how often it happens compared with the others. */
export type Move = { name: string; weight: number; act: (simulation: Simulation) => void | Promise<void> };

const lotsOf = (moves: readonly Move[]) => moves.flatMap((move) => Array.from({ length: move.weight }, () => move));
const LOTS = lotsOf([...OPERATORS, ...SURROUNDINGS]);
const LOTS_WITH_EXITS = [...LOTS, ...lotsOf(EXIT_MOVES)];

/** One move, by weight. */
export async function makeMove(simulation: Simulation): Promise<void> {
  const move = simulation.random.pick(simulation.hasChain ? LOTS_WITH_EXITS : LOTS);
  if (move === undefined) return;
  simulation.tell(move.name);
  await move.act(simulation);
}
