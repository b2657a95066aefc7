import { seededRandom } from '../makers/random.ts';
import { DECOYS } from './decoys.ts';
import { MISPRICINGS } from './mispricings.ts';
import { placeName } from './names.ts';
import { type Draw, PLANTED_KINDS, type PlantedCase } from './planted-case.ts';

/** How many cases there are in all, how many of them hold a set that pays, and how many one that only looks so. */
export interface PlantedCounts {
  readonly events: number;
  readonly mispriced: number;
  readonly decoys: number;
}

/** `isFair`: quoted as it should be, set and all. */
export type DrawnCase = PlantedCase & { readonly isFair: boolean };

/** As many of every kind and every trap as the counts allow, in an order drawn from the seed. A case has one event or two. */
export function drawCases(seed: number, { events, mispriced, decoys }: PlantedCounts): DrawnCase[] {
  const random = seededRandom(seed + 2);
  const traps = Object.entries(DECOYS);
  const ways = [
    ...inRotation(mispriced, PLANTED_KINDS, (kind, draw) => ({ ...MISPRICINGS[kind](draw), isFair: false })),
    ...inRotation(decoys, traps, ([trap, decoy], draw) => ({
      ...decoy(draw),
      trap,
      isVoidProne: false,
      isFair: false,
    })),
    ...inRotation(events - mispriced - decoys, PLANTED_KINDS, (kind, draw) => ({
      ...MISPRICINGS[kind](draw),
      isFair: true,
    })),
  ];
  for (let last = ways.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [ways[last], ways[other]] = [ways[other] as Way, ways[last] as Way];
  }
  return ways.map((way, place) => way({ subject: placeName(place), random }));
}

type Way = (draw: Omit<Draw, 'round'>) => DrawnCase;

function inRotation<Kind>(count: number, kinds: readonly Kind[], draw: (kind: Kind, draw: Draw) => DrawnCase): Way[] {
  return Array.from({ length: Math.max(0, count) }, (_, place) => {
    const kind = kinds[place % kinds.length] as Kind;
    return (rest) => draw(kind, { ...rest, round: Math.floor(place / kinds.length) });
  });
}
