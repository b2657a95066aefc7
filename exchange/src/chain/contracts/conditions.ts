import { encodePacked, type Hex, keccak256 } from 'viem';
import { LINE } from '../../catalogue/ids.ts';
import type { EventListing } from '../../catalogue/listing.ts';
import type { TokenPair } from '../../matching/transfer.ts';
import type { Market, Payouts } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { type EventMembers, eventMembers, eventRoot } from '../../settlement/event-members.ts';

/** What the contracts know by the ids that calls name. */
export class Conditions {
  readonly #engine: MatchingEngine;
  #tokensByCollection: ReadonlyMap<Hex, string> | undefined;
  /** How many markets there were when the collections were named. */
  #namedOf = 0;
  readonly #byRoot = new Map<bigint, KeptMembers>();
  readonly #byMarketId = new Map<string, KeptMembers>();

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    engine.directory.onListed((event) => this.#addEvent(event));
  }

  /** Made when it is first asked for: most exchanges never are. */
  #collections(): ReadonlyMap<Hex, string> {
    const { directory } = this.#engine;
    if (this.#tokensByCollection !== undefined && this.#namedOf === directory.size) return this.#tokensByCollection;
    this.#namedOf = directory.size;
    this.#tokensByCollection = new Map(
      directory
        .all()
        .flatMap(({ listing, tokens }) =>
          tokens.map((tokenId, outcome) => [collectionId(listing.conditionId as Hex, 2 ** outcome), tokenId] as const),
        ),
    );
    return this.#tokensByCollection;
  }

  market(conditionId: Hex): Market | undefined {
    return this.#engine.directory.market(conditionId);
  }

  /** What the contracts know that the market pays. */
  payouts({ payouts, isReported }: Market): Payouts | undefined {
    return isReported ? payouts : undefined;
  }

  /** The members of a negative-risk event of the first protocol. */
  negRisk(marketId: Hex): EventMembers | undefined {
    return membersIn(this.#byMarketId, marketId.toLowerCase());
  }

  /** The members of an event of Protocol V2, by the 29 bytes that name it. */
  grouped(eventId: Hex): EventMembers | undefined {
    return membersIn(this.#byRoot, BigInt(eventId));
  }

  feeBips({ event }: EventMembers): number {
    return this.#engine.directory.feeBips(event);
  }

  /** The token of a collection that `getCollectionId` has named. */
  tokenOf(collection: Hex): string | undefined {
    return this.#collections().get(collection.toLowerCase() as Hex);
  }

  /** The outcome tokens of a condition of Protocol V2, listed or not, and what they pay. */
  pair(conditionId: Hex): { tokens: TokenPair; payouts: Payouts | undefined } | undefined {
    const listed = this.market(`${conditionId}00`);
    if (listed !== undefined) {
      return listed.listing.protocol === 'v2' ? { tokens: listed.tokens, payouts: this.payouts(listed) } : undefined;
    }
    const first = BigInt(conditionId) << 8n;
    const members = membersIn(this.#byRoot, first >> 24n);
    const condition = Number((first >> 8n) & 0xffffn);
    if (members === undefined || !isCondition(members, condition)) return undefined;
    return { tokens: [first.toString(), (first + 1n).toString()], payouts: this.#implied(members, condition) };
  }

  /** What follows for an unlisted condition from how the listed ones were resolved. */
  #implied(members: EventMembers, condition: number): Payouts | undefined {
    const winners = members.pairs.map(([yes]) => this.#engine.directory.token(yes)?.market.payouts);
    const named = winners.findIndex((payouts) => payouts !== undefined && payouts[0] > payouts[1]);
    const isOpen = named < 0 && winners.slice(0, members.arity).some((payouts) => payouts === undefined);
    if (isOpen) return undefined;
    const winner = named < 0 ? members.arity : named;
    const isLine = condition >= LINE;
    const wins = isLine ? winner >= condition - LINE && winner < members.arity : winner === condition;
    return wins ? [1, 0] : [0, 1];
  }

  #addEvent(event: EventListing): void {
    const [first] = event.markets;
    if (first === undefined) return;
    const kept: KeptMembers = { event, members: undefined };
    const root = first.protocol === 'v2' ? eventRoot(first.tokens[0]) : undefined;
    if (root !== undefined) this.#byRoot.set(root, kept);
    else if (event.negRisk) this.#byMarketId.set(event.negRiskMarketId.toLowerCase(), kept);
  }
}

/** The members of an event are computed when a call first names it. */
interface KeptMembers {
  readonly event: EventListing;
  members: EventMembers | undefined;
}

function membersIn<Key>(kept: ReadonlyMap<Key, KeptMembers>, key: Key): EventMembers | undefined {
  const found = kept.get(key);
  if (found === undefined) return undefined;
  found.members ??= eventMembers(found.event);
  return found.members;
}

function isCondition({ arity }: EventMembers, condition: number): boolean {
  return condition >= LINE ? condition > LINE && condition < LINE + arity : condition <= arity;
}

/** Names an outcome of a condition. The contract computes a point of a curve; the exchange does not need to. */
export function collectionId(conditionId: Hex, indexSet: number | bigint): Hex {
  return keccak256(encodePacked(['bytes32', 'uint256'], [conditionId, BigInt(indexSet)]));
}
