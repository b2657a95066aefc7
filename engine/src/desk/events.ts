/** The events that the desk processes, and the effects that it hands to its shell. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Position } from '../opportunity/position.ts';
import type { GateQuote } from '../risk/context.ts';
import type { Alert, AlertChange } from './alerts.ts';
import type { DeskSettings } from './desk-settings.ts';
import type { HeldBook } from './priced-levels.ts';
import type { RowChange } from './reprice.ts';
import type { RevaluedQuotes } from './revaluations.ts';
import type { RiseOutcome } from './rises.ts';
import type { OpportunityRow, Rise, Tracked } from './tracked.ts';

type AnyTracked = Tracked<OpportunityRow>;

/** Read without waiting, at any time between two events. */
export type DeskSurroundings<Item extends AnyTracked> = {
  quotes: RevaluedQuotes & {
    /** Whether the venue has answered for all of them: before that, what is missing may only not have come yet. */
    hasAnswered: (positions: readonly Position[]) => boolean;
    book: (tokenId: TokenId) => HeldBook | undefined;
    marketIdOf: (tokenId: TokenId) => string | undefined;
  };
  /** Whether this desk acts on the opportunity's trigger. One that does not may still price it. */
  owns: (id: string) => boolean;
  /** Whether it is to be followed any longer. */
  isWanted: (item: Item) => boolean;
  /** Whether a person has it open, who sees its books age. */
  isOpen: (item: Item) => boolean;
  /** While this says no, a rise is left standing and is acted on later. */
  isReady: () => boolean;
};

/** `left`: work that is done in slices goes on: what changes have valued again, or the round of what time alone may change. */
export type LeftWork = 'values' | 'round';

export type DeskEvent<Item extends AnyTracked> =
  /** The books of these tokens, or the trust in them, have changed. */
  | { kind: 'books'; tokenIds: readonly TokenId[] }
  /** Something else that prices depend on has changed in these markets. */
  | { kind: 'markets'; marketIds: ReadonlySet<MarketId> }
  /** Nothing follows these tokens any more. */
  | { kind: 'forgotten'; tokenIds: readonly TokenId[] }
  /** The item is followed from now on, or was opened: the next round visits it. */
  | { kind: 'put'; item: Item }
  /** A person or another process stored the item: unrecorded observations are dropped. */
  | { kind: 'stored'; item: Item; row: Item['row'] }
  | { kind: 'removed'; item: Item }
  | { kind: 'settings'; settings: DeskSettings }
  /** Replaces the alerts of the opportunity; a followed one is checked against them. */
  | { kind: 'alerts'; opportunityId: string; alerts: readonly Alert[] }
  /** A check has looked up these quotes of it. `asked`: a user asked for the check, so a failure to price it counts as a failed one. */
  | { kind: 'checked'; item: Item; quotes: readonly GateQuote[]; asked: boolean; mayTrigger: boolean }
  /** Values the item by the current books. */
  | { kind: 'due'; item: Item }
  /** Proposes a waiting rise of the item again, if it may be decided now; the item is not valued. */
  | { kind: 'again'; item: Item }
  | { kind: 'outcome'; item: Item; rise: Rise<Item['row']>; outcome: RiseOutcome }
  /** Some seconds have passed. */
  | { kind: 'time' }
  | { kind: 'left'; work: LeftWork };

/** `isRise`: it has come up to its trigger by this. `isOwned`: this desk acts on its trigger. */
export type Repricing = { change: RowChange; asked: boolean; isRise: boolean; isOwned: boolean };

export type DeskEffects<Item extends AnyTracked> = {
  /** Its quotes were read: something of them has changed, if only the age of a book. */
  looked: (item: Item) => void;
  repriced: (item: Item, how: Repricing) => void;
  rose: (item: Item, rise: Rise<Item['row']>) => void;
  /** A rise was not kept, because too many wait. */
  dropped: (item: Item) => void;
  fell: (item: Item) => void;
  /** The change of an alert is to be stored, and notified if it fired. */
  alertChanged: (item: Item, alert: Alert, change: AlertChange) => void;
  /**
   * The rise is to be recorded. Where `refusals` is null an order is to be placed on it, if `assess` says so of what the record finds;
   * else they say why not. What becomes of it is answered by `outcome`. Those of one event come in the order in which they are to spend.
   */
  propose: (item: Item, rise: Rise<Item['row']>, refusals: readonly string[] | null) => void;
  /** The proposal for the item was recorded, or postponed. */
  recorded: (item: Item) => void;
  /** Nothing wants it followed any longer, and the desk does not. */
  left: (item: Item) => void;
  /** Work is left, to be gone on with by `left` as soon as other things had their time. */
  later: (work: LeftWork) => void;
  /** Changes come faster than they are valued, and are valued together. */
  overrun: () => void;
};
