import {
  concatHex,
  domainSeparator,
  type Hex,
  hashStruct,
  hashTypedData,
  numberToHex,
  stringToHex,
  zeroHash,
} from 'viem';
import { CHAIN_ID, type SigningDomain } from './contracts.ts';
import { exchangeDomain, messageOf, ORDER_FIELDS, type SignedOrder, signerOf } from './signed-order.ts';

const KEY_SIGNATURE_BYTES = 65;
const ORDER_TYPE = `Order(${ORDER_FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`;

/**
 * The address whose key signed an order of a deposit wallet (signature type 3), as the wallet's contract finds it; undefined
 * where a part of the signature is not what the contract expects. The 317 bytes are the key's signature over the order
 * nested in typed data of the wallet, the exchange's domain separator, the hash of the order, its type, and the length of that.
 */
export function walletSignerOf(order: SignedOrder, signature: Hex, domain: SigningDomain): Hex | undefined {
  const exchange = exchangeDomain(domain);
  const message = messageOf(order);
  const types = { Order: ORDER_FIELDS };
  const tail = concatHex([
    domainSeparator({ domain: exchange }),
    hashStruct({ types, primaryType: 'Order', data: message }),
    stringToHex(ORDER_TYPE),
    numberToHex(ORDER_TYPE.length, { size: 2 }),
  ]);
  const keySignature = signature.slice(0, signature.length - tail.length + 2) as Hex;
  if (`${keySignature}${tail.slice(2)}`.toLowerCase() !== signature.toLowerCase()) return undefined;
  if (keySignature.length !== 2 + 2 * KEY_SIGNATURE_BYTES) return undefined;
  const nested = hashTypedData({
    domain: exchange,
    types: { ...types, TypedDataSign: NESTED_FIELDS },
    primaryType: 'TypedDataSign',
    message: {
      contents: message,
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(CHAIN_ID),
      verifyingContract: order.signer,
      salt: zeroHash,
    },
  });
  return signerOf(nested, keySignature);
}

const NESTED_FIELDS = [
  { name: 'contents', type: 'Order' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;
