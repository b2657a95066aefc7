import {
  type AttemptRecord,
  attemptsOf,
  type BatchRecord,
  type FillRecord,
  type OrderRecord,
  type StateOf,
} from './batch-state.ts';

type Order = Pick<OrderRecord, 'id' | 'side' | 'status' | 'chainStepId' | 'sellsOrderId' | 'saleId'>;
type Batch = Pick<BatchRecord, 'splitStepId'>;
type Attempt = Pick<AttemptRecord, 'id' | 'orderId' | 'createdAt' | 'sentAt' | 'endedAt'>;
type OneFill = Pick<FillRecord, 'attemptId' | 'matchedAt' | 'createdAt'>;

/**
 * The batch as its result counts it. A conversion of several calls takes the legs of a set one after the other: until the last call of a
 * request is proven or has failed, its shares count as what they were, because what is left of a set by then is neither lost nor sold.
 */
export function beforeConversions<
  BatchOf extends Batch,
  OrderOf extends Order,
  AttemptOf extends Attempt,
  FillOf extends OneFill,
>(state: StateOf<BatchOf, OrderOf, AttemptOf, FillOf>): StateOf<BatchOf, OrderOf, AttemptOf, FillOf> {
  const conversions = state.sales.filter(({ chainStepId }) => chainStepId !== null);
  const isUnderWay = ({ id, status }: OrderOf) => status !== 'failed' && attemptsOf(state, id).length === 0;
  const requests = new Set(conversions.filter(isUnderWay).map(({ saleId }) => saleId));
  if (requests.size === 0) return state;
  const standing = conversions.filter(({ saleId }) => requests.has(saleId));
  const steps = new Set(standing.map(({ chainStepId }) => chainStepId));
  return {
    ...state,
    sales: state.sales.filter((sale) => !standing.includes(sale)),
    received: state.received.filter(({ chainStepId }) => !steps.has(chainStepId)),
  };
}
