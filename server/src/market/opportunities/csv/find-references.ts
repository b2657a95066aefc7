import { CSV_REFERENCES_MAX, type ImportReply } from '@dutchbook/contract/opportunities/import-csv.ts';
import {
  type MarketReference,
  type MarketReferences,
  type VenueCatalogue,
  VenueUnavailable,
} from '@dutchbook/venues/venue.ts';
import { byVenue } from '@dutchbook/venues/venues.ts';
import { sliced } from '../../../platform/runtime/slices.ts';
import { type CsvFile, NO_REFERENCES, type NotLookedUp, type References } from './csv-file.ts';

type RowsOfFile = Extract<CsvFile, { kind: 'rows' }>;

const SLICE_CHARACTERS = 16_384;
/** Work of a row, in characters, besides its own. */
const ROW_COST = 50;
/** References named in the answer. */
const TOLD_MAX = 100;
const NAME_LENGTH_MAX = 500;

const BEYOND = `At most ${CSV_REFERENCES_MAX.toLocaleString('en-US')} markets of a file are looked up by other names; name this one by its id, or import it with another file`;

/** Whether the venue has to be asked what it stands for. */
type Kind = MarketReference['kind'];
const isAsked = (kind: Kind) => kind !== 'capitals';

/**
 * Resolves the names of markets in a file, and finds unknown ids. The venue is asked about CSV_REFERENCES_MAX of both,
 * names first; `countQuestion` is called before it is. Throws VenueUnavailable where it does not answer about names.
 */
export async function findReferences(
  file: RowsOfFile,
  { references }: Pick<VenueCatalogue, 'references'>,
  countQuestion: () => void,
): Promise<References> {
  if (references === undefined) return NO_REFERENCES;
  const { kinds, ids, beyond } = await namesIn(file, references);
  if (kinds.size + ids.size > 0) countQuestion();
  const found = kinds.size === 0 ? [] : await references.find([...kinds.keys()], 'display');
  const names = new Map<string, MarketReference | NotLookedUp>([...found, ...beyond]);
  for (const { kind, marketId } of names.values()) if (kind === 'capitals' && marketId !== null) ids.add(marketId);
  const asked = [...kinds.values()].filter(isAsked).length;
  return { names, unknownIds: await unknownIds(references, [...ids].slice(0, CSV_REFERENCES_MAX - asked)) };
}

type Names = { kinds: Map<string, Kind>; ids: Set<string>; beyond: Map<string, NotLookedUp> };

/** Names to look up with their kinds, ids, and names beyond the limit. */
async function namesIn(file: RowsOfFile, references: MarketReferences): Promise<Names> {
  const names: Names = { kinds: new Map(), ids: new Set(), beyond: new Map() };
  const { kinds, ids, beyond } = names;
  let asked = 0;
  const sort = (name: string, kind: Kind | null) => {
    if (kind === null) {
      if (ids.size < CSV_REFERENCES_MAX) ids.add(name);
    } else if (isAsked(kind) && asked >= CSV_REFERENCES_MAX) {
      beyond.set(name, { kind: 'not_looked_up', marketId: null, isKnown: true, reason: BEYOND });
    } else {
      if (isAsked(kind)) asked += 1;
      kinds.set(name, kind);
    }
  };
  const slices = sliced(SLICE_CHARACTERS);
  for (const { ids: named, characters } of file.ids()) {
    for (const name of named) {
      if (!kinds.has(name) && name.length <= NAME_LENGTH_MAX) sort(name, references.kindOf(name));
    }
    await slices.spend(characters + ROW_COST);
  }
  return names;
}

/** Ids that the venue does not know; none while it does not answer. */
async function unknownIds(references: MarketReferences, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const unknown = await Promise.all(
    [...byVenue(ids).values()].map(async (own): Promise<Iterable<string>> => {
      try {
        return await references.unknownIds(own, 'display');
      } catch (error) {
        if (error instanceof VenueUnavailable) return [];
        throw error;
      }
    }),
  );
  return new Set(unknown.flatMap((each) => [...each]));
}

/** The part shown in the answer. */
export function reportOf({ names }: References): Pick<ImportReply, 'resolved' | 'resolved_count'> {
  const resolved = [...names].flatMap(([given, found]) =>
    found.marketId === null ? [] : [{ given, kind: found.kind, market_id: found.marketId }],
  );
  return { resolved: resolved.slice(0, TOLD_MAX), resolved_count: resolved.length };
}
