/** Random moves: of operators, of the market, of the exchange, of the network and of the machine. */
import { EXIT_MOVES } from './exits/exit-moves.ts';
import { OPERATORS } from './operator-moves.ts';
import type { Simulation } from './simulation.ts';
import { SURROUNDINGS } from './surrounding-moves.ts';
import { MOVES_AT_BOTH } from './venues/moves-at-both.ts';

/** `weight`: how often it happens compared with the others. */
export type Move = { name: string; weight: number; act: (simulation: Simulation) => void | Promise<void> };

const lotsOf = (moves: readonly Move[]) => moves.flatMap((move) => Array.from({ length: move.weight }, () => move));
const LOTS = lotsOf([...OPERATORS, ...SURROUNDINGS]);
const LOTS_AT_BOTH = [...LOTS, ...lotsOf(MOVES_AT_BOTH)];
const LOTS_WITH_EXITS = [...LOTS, ...lotsOf(EXIT_MOVES)];

function lotsFor({ hasChain, venues }: Simulation): readonly Move[] {
  if (hasChain) return LOTS_WITH_EXITS;
  return venues.length > 1 ? LOTS_AT_BOTH : LOTS;
}

/** One move, by weight. */
export async function makeMove(simulation: Simulation): Promise<void> {
  const move = simulation.random.pick(lotsFor(simulation));
  if (move === undefined) return;
  simulation.tell(move.name);
  await move.act(simulation);
}
