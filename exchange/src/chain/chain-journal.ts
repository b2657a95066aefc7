import type { Journal } from '../matching-engine/journal.ts';
import type { BlockAnchor } from './blocks.ts';
import type { Chain } from './chain.ts';
import type { Relayed, Relayer } from './relayer/relayer.ts';
import type { ChainTransaction } from './transactions.ts';

const TRANSACTION = 'transaction ';
const RELAYED = 'relayed ';
const STATE = 'state';

export interface ChainParts {
  readonly chain: Chain;
  readonly relayer: Relayer;
}

/** What is not in the transactions themselves. */
interface ChainState {
  readonly anchor: BlockAnchor;
  readonly keys: readonly (readonly [string, number, string | null])[];
  readonly allowances: readonly (readonly [string, string])[];
  readonly approvedByDefault: boolean;
  readonly wallets: readonly (readonly [string, string, number])[];
  readonly hidden: readonly (readonly [string, string, number])[];
}

/** Writes down what the chain does from now on. */
export function keepChain({ chain, relayer }: ChainParts, journal: Journal): void {
  chain.listen({
    transactionChanged: (transaction) => {
      journal.noteChain(`${TRANSACTION}${transaction.hash}`, () => transaction);
      journal.noteChain(STATE, () => stateOf(chain));
    },
    stateChanged: () => journal.noteChain(STATE, () => stateOf(chain)),
  });
  // What was kept from the venue until it looked again changes with accounts alone.
  chain.engine.announcer.listen({
    accountChanged: () => chain.pool.isUsed && journal.noteChain(STATE, () => stateOf(chain)),
  });
  relayer.onChange = (relayed) => {
    journal.noteChain(`${RELAYED}${relayed.id}`, () => relayed);
    journal.noteChain(STATE, () => stateOf(chain));
  };
}

/** Takes back one value of the journal. */
export function restoreChain({ chain, relayer }: ChainParts, id: string, value: unknown): void {
  if (id.startsWith(TRANSACTION)) chain.pool.add(value as ChainTransaction);
  if (id.startsWith(RELAYED)) relayer.restore(value as Relayed);
  if (id === STATE) restoreState(chain, value as ChainState);
}

function stateOf({ blocks, keys, wallets, engine }: Chain): ChainState {
  return {
    anchor: blocks.anchor,
    keys: keys.entries(),
    allowances: engine.allowances.entries(),
    approvedByDefault: engine.allowances.areGiven,
    wallets: wallets.entries(),
    hidden: engine.balances.allHidden(),
  };
}

function restoreState({ blocks, keys, wallets, engine }: Chain, state: ChainState): void {
  blocks.anchor = state.anchor;
  keys.restore(state.keys);
  engine.allowances.restore(state.allowances);
  engine.allowances.areGiven = state.approvedByDefault;
  wallets.restore(state.wallets);
  for (const [account, tokenId, micro] of state.hidden) engine.balances.hide(account, tokenId, micro);
}
