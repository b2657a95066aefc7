/** The ways in which the exchange can misbehave on request. */
export const FAULT_NAMES = [
  'accept_then_500',
  'drop_response',
  'hang',
  'rate_limit_429',
  'restart_425',
  'stale_book',
  'freeze_stream',
  'duplicate_user_events',
  'reorder_user_events',
  'fail_settlement',
  'partial_fill',
  'empty_positions',
  'positions_5xx',
  'positions_garbage',
  'positions_hang',
  'positions_short_page',
  'drop_delayed',
  'match_short',
  'null_after_cancel',
  'chain_revert',
  'chain_out_of_gas',
  'chain_no_effect',
  'chain_pays_less',
  'chain_stuck',
  'chain_replaced',
  'chain_reorg',
  'chain_nonce_taken',
  'chain_answer_lost',
  'rpc_5xx',
  'rpc_behind',
  'rpc_disagree',
  'relayer_quota',
  'relayer_5xx',
  'relayer_call_blocked',
  'relayer_gives_up',
  'stale_balance',
  'lose_book_frame',
  'lose_user_frame',
] as const;

export type FaultName = (typeof FAULT_NAMES)[number];

export interface FaultOrder {
  readonly name: FaultName;
  /** How often it strikes before it is used up. */
  readonly times?: number | undefined;
  /** Strikes only what concerns this token. */
  readonly token_id?: string | undefined;
  /**
   * For `partial_fill` the share of the liquidity that can be had, for `chain_pays_less` that of the dollars that are paid, 0.5 if
   * absent; for others how likely it strikes.
   */
  readonly fraction?: number | undefined;
  /**
   * How long a hang (also of the positions) or a frozen stream lasts, what `Retry-After` of `rate_limit_429` says, for `drop_delayed` how long the
   * order is held, and for `null_after_cancel` how long it rests (on the exchange's clock, 1,000 for both). A stream
   * without it stays frozen until the faults are deleted, a transaction of `chain_stuck` pending until it is replaced.
   */
  readonly ms?: number | undefined;
  /** For `fail_settlement`: the trade confirms after a retry instead of failing. For `chain_reorg`: mined again, not lost. */
  readonly recover?: boolean | undefined;
  /** For `drop_response` and `chain_answer_lost`: the connection breaks before the call is looked at, so nothing is recorded. */
  readonly before?: boolean | undefined;
  /** For `freeze_stream`: only connections that are open now; a reconnect is served again. */
  readonly existing_only?: boolean | undefined;
  /** For `chain_no_effect`: which call of the transaction, counted from 0; all of them where it is absent. */
  readonly call?: number | undefined;
  /** For `chain_revert`: what the contract answers; for `relayer_gives_up`: what the relayer says. Nothing at all where it is empty. */
  readonly reason?: string | undefined;
  /** For `rpc_behind` and `rpc_disagree`: how many blocks the node does not know of yet. */
  readonly blocks?: number | undefined;
  /** For `null_after_cancel`: the user stream does not tell of the cancellation either. */
  readonly silent?: boolean | undefined;
}

export interface ActiveFault extends FaultOrder {
  remaining: number;
  readonly setAtMs: number;
}

/** Which faults are switched on. Whether one strikes is drawn from the exchange's own random. */
export class Faults {
  readonly #active: ActiveFault[] = [];
  readonly #roll: () => number;

  constructor(roll: () => number) {
    this.#roll = roll;
  }

  add(order: FaultOrder, nowMs: number): void {
    this.#active.push({ ...order, remaining: order.times ?? 1, setAtMs: nowMs });
  }

  clear(): void {
    this.#active.length = 0;
  }

  active(): readonly ActiveFault[] {
    return this.#active;
  }

  /** The fault that strikes now, used up by one; undefined when none does. `isMeant` singles out some of that name. */
  strike(
    name: FaultName,
    tokenIds: readonly string[] = [],
    isMeant: (fault: FaultOrder) => boolean = () => true,
  ): ActiveFault | undefined {
    const fault = this.#active.find((one) => one.name === name && concerns(one, tokenIds) && isMeant(one));
    if (fault === undefined) return undefined;
    const isCertain = fault.fraction === undefined || name === 'partial_fill' || name === 'chain_pays_less';
    if (!isCertain && this.#roll() >= (fault.fraction ?? 1)) return undefined;
    fault.remaining -= 1;
    if (fault.remaining <= 0) this.#active.splice(this.#active.indexOf(fault), 1);
    return fault;
  }

  /** Frozen streams last for a time, not for a count. */
  frozen(tokenIds: readonly string[], connectedAtMs: number, nowMs: number): boolean {
    const freezes = this.#active.filter((fault) => fault.name === 'freeze_stream');
    for (const fault of freezes) {
      if (fault.ms !== undefined && nowMs >= fault.setAtMs + fault.ms) {
        this.#active.splice(this.#active.indexOf(fault), 1);
      } else if (concerns(fault, tokenIds) && !(fault.existing_only === true && connectedAtMs > fault.setAtMs)) {
        return true;
      }
    }
    return false;
  }
}

function concerns(fault: FaultOrder, tokenIds: readonly string[]): boolean {
  return fault.token_id === undefined || tokenIds.includes(fault.token_id);
}
