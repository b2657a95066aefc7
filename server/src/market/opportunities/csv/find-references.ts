import { CSV_REFERENCES_MAX, type ImportReply } from '@dutchbook/contract/opportunities.ts';
import type { MarketReference, VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { sliced } from '../../../platform/runtime/slices.ts';
import type { CsvFile, NotLookedUp, References } from './csv-file.ts';

const SLICE_CHARACTERS = 16_384;
/** What a row costs beside its characters. */
const ROW_COST = 50;
/** So many are named in the answer. */
const TOLD_MAX = 100;
const NAME_LENGTH_MAX = 500;

const BEYOND = `At most ${CSV_REFERENCES_MAX.toLocaleString('en-US')} markets of a file are looked up by other names; name this one by its id, or import it with another file`;

/** Whether the venue has to be asked what it stands for. */
type Kind = MarketReference['kind'];
const isAsked = (kind: Kind) => kind !== 'capitals';

/**
 * What the names of markets in a file stand for, of which the venue is asked about so many and no more. `countQuestion` is called
 * before it is. Throws VenueUnavailable.
 */
export async function findReferences(
  file: Extract<CsvFile, { kind: 'rows' }>,
  { references }: Pick<VenueCatalogue, 'references'>,
  countQuestion: () => void,
): Promise<References> {
  if (references === undefined) return new Map();
  const kinds = new Map<string, Kind>();
  const beyond = new Map<string, NotLookedUp>();
  let asked = 0;
  const slices = sliced(SLICE_CHARACTERS);
  for (const { ids, characters } of file.ids()) {
    for (const id of ids) {
      if (kinds.has(id) || id.length > NAME_LENGTH_MAX) continue;
      const kind = references.kindOf(id);
      if (kind === null) continue;
      if (isAsked(kind) && asked >= CSV_REFERENCES_MAX) {
        beyond.set(id, { kind: 'not_looked_up', marketId: null, isKnown: true, reason: BEYOND });
        continue;
      }
      if (isAsked(kind)) asked += 1;
      kinds.set(id, kind);
    }
    await slices.spend(characters + ROW_COST);
  }
  if (kinds.size === 0) return beyond;
  if (asked > 0) countQuestion();
  const found = await references.find([...kinds.keys()], 'asked');
  return new Map<string, MarketReference | NotLookedUp>([...found, ...beyond]);
}

/** What of it the answer says. */
export function reportOf(references: References): Pick<ImportReply, 'resolved' | 'resolved_count'> {
  const resolved = [...references].flatMap(([given, found]) =>
    found.marketId === null ? [] : [{ given, kind: found.kind, market_id: found.marketId }],
  );
  return { resolved: resolved.slice(0, TOLD_MAX), resolved_count: resolved.length };
}
