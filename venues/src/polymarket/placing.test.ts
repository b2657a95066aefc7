import { OrderType, Side } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import { createSecrets } from './errors.ts';
import { judgeEntry, judgeFailure, type Outgoing } from './placing.ts';
import type { StoredOrder } from './signing.ts';

const HASH = `0x${'ab'.repeat(32)}`;

function outgoing(orderType: StoredOrder['orderType'] = OrderType.GTC): Outgoing {
  const address = `0x${'1'.repeat(40)}`;
  const order: StoredOrder['order'] = {
    salt: '1',
    maker: address,
    signer: address,
    tokenId: '71',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: Side.BUY,
    signatureType: 0,
    timestamp: '1',
    metadata: '0x0',
    builder: '0x0',
    expiration: '0',
    signature: '0x0',
  };
  return { signed: { orderHash: HASH, salt: '1', payload: '' }, stored: { order, orderType, cancelRest: false } };
}

const ACCEPTED = { success: true, errorMsg: '', orderID: HASH, status: 'live', makingAmount: '', takingAmount: '' };
const secrets = createSecrets();
secrets.add('a-secret-passphrase');

function verdict(entry: object | string | null, orderType?: StoredOrder['orderType']): string {
  const judged = judgeEntry(entry, outgoing(orderType), secrets);
  return judged.kind === 'accepted' ? `${judged.kind} ${judged.status}` : judged.kind;
}

describe('one entry of an answer with status 200', () => {
  it.each([
    ['rests', { ...ACCEPTED }, 'accepted open'],
    ['was delayed and found nothing', { ...ACCEPTED, status: 'unmatched' }, 'accepted open'],
    ['is held back', { ...ACCEPTED, status: 'delayed' }, 'accepted delayed'],
    ['matched whole', { ...ACCEPTED, status: 'matched', takingAmount: '10' }, 'accepted matched'],
    ['matched in part', { ...ACCEPTED, status: 'matched', takingAmount: '4' }, 'accepted open'],
    ['matched, not said how much', { ...ACCEPTED, status: 'matched' }, 'accepted open'],
    ['has an unknown status', { ...ACCEPTED, status: 'dreaming' }, 'unknown'],
    ['has the id of another order', { ...ACCEPTED, orderID: '0xcd' }, 'unknown'],
    ['has no id and no reason', { ...ACCEPTED, orderID: '' }, 'unknown'],
    ['has no success and no reason', { ...ACCEPTED, success: false }, 'unknown'],
    ['says success, but gives a reason and no id', { ...ACCEPTED, orderID: '', errorMsg: 'no' }, 'rejected'],
    ['failed in the engine', { ...ACCEPTED, orderID: '', errorMsg: 'could not insert order' }, 'unknown'],
    ['gives a reason and an id', { ...ACCEPTED, errorMsg: 'could be' }, 'unknown'],
    ['is there already', { ...ACCEPTED, orderID: '', errorMsg: `order ${HASH} is invalid. Duplicated.` }, 'exists'],
    ['is no entry', 'ok', 'unknown'],
    ['is missing', null, 'unknown'],
  ])('that %s', (_, entry, expected) => {
    expect(verdict(entry)).toBe(expected);
  });

  it('takes a killed order for refused even where the venue names its id', () => {
    const text =
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';
    expect(verdict({ ...ACCEPTED, errorMsg: text })).toBe('rejected');
  });

  it('is done with a fill-and-kill order whatever part of it matched', () => {
    expect(verdict({ ...ACCEPTED, status: 'matched', takingAmount: '4' }, OrderType.FAK)).toBe('accepted matched');
  });
});

describe('a call that failed as a whole', () => {
  it.each([
    [401, 'Unauthorized/Invalid api key', 3, 'rejected'],
    [403, 'Forbidden', 3, 'rejected'],
    [429, 'Too Many Requests', 3, 'rate_limited'],
    [400, 'not enough balance / allowance', 1, 'rejected'],
    [400, 'not enough balance / allowance', 2, 'unknown'],
    [400, 'Too many orders in payload: 16, max allowed: 15', 16, 'rejected'],
    [400, 'order_version_mismatch', 2, 'rejected'],
    [400, `order ${HASH} is invalid. Duplicated.`, 1, 'exists'],
    [400, `order ${HASH} is invalid. Duplicated.`, 2, 'exists'],
    [400, `order 0x${'cd'.repeat(32)} is invalid. Duplicated.`, 2, 'unknown'],
    [400, 'Duplicated.', 2, 'unknown'],
    [400, 'order match delayed due to market conditions', 1, 'unknown'],
    [425, 'Request failed with status code 425', 1, 'unknown'],
    [500, 'could not insert order', 1, 'unknown'],
    [502, 'Bad Gateway', 1, 'unknown'],
    [503, 'Service Unavailable', 1, 'unknown'],
    [503, 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.', 2, 'rejected'],
    [503, 'post-only mode: only post-only orders and cancels are allowed', 1, 'rejected'],
    [408, 'Request Timeout', 1, 'unknown'],
    [null, 'socket hang up', 1, 'unknown'],
    [null, '', 1, 'unknown'],
  ])('%s "%s" for %s orders', (status, text, count, expected) => {
    expect(judgeFailure({ status, text }, outgoing(), count, secrets).kind).toBe(expected);
  });

  it('passes the reason on as one line without our secrets', () => {
    const text = 'bad\n\tpassphrase a-secret-passphrase <b>';
    expect(judgeFailure({ status: 401, text }, outgoing(), 1, secrets)).toEqual({
      kind: 'rejected',
      reason: 'bad passphrase [hidden] b',
    });
  });
});
