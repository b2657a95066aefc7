/** The EIP-712 hash of an order, and what a key signs of it. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { domainSeparator, keccak256 } from 'viem';
import { type ChainId, exchangeContract } from '../contracts.ts';
import type { OrderVersion } from '../listed-market.ts';

type Hex = `0x${string}`;

/** The signature type of a wallet whose contract checks signatures itself. */
export const DEPOSIT_WALLET = 3;

/** What an order is hashed under besides its own fields. */
export type HashTerms = { negRisk: boolean; version: OrderVersion; chainId: ChainId };

/** What of an order is hashed: amounts in millionths, `timestamp` in milliseconds, addresses and 32 bytes in hexadecimal. */
export type HashedOrder = {
  salt: string;
  maker: string;
  signer: string;
  tokenId: TokenId;
  makerAmount: string;
  takerAmount: string;
  side: 'BUY' | 'SELL';
  signatureType: number;
  timestamp: string;
  metadata: string;
  builder: string;
};

const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';
const WALLET_TYPE =
  'TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)';
const DOMAIN_NAME = 'Polymarket CTF Exchange';
const NO_SALT = '0'.repeat(64);

const orderType = hashOfText(ORDER_TYPE);
const walletType = hashOfText(`${WALLET_TYPE}${ORDER_TYPE}`);
const walletName = hashOfText('DepositWallet');
const walletVersion = hashOfText('1');

/**
 * The hash, which the venue uses as the id of the order and is known before the order is sent, and the signature by the account that
 * has the key. The contract of a deposit wallet checks signatures itself: what is signed for it names that wallet, and stands
 * behind the signature, so that the contract can put it together again.
 */
export function hashAndSign(
  order: HashedOrder,
  terms: HashTerms,
  signHash: (hash: Hex) => Hex,
): { orderHash: Hex; signature: Hex } {
  const domain = domainOf(terms);
  const contents = contentsOf(order);
  const orderHash = typedHash(domain, contents);
  if (order.signatureType !== DEPOSIT_WALLET) return { orderHash, signature: signHash(orderHash) };
  const wallet = hashOfWords([
    walletType,
    contents,
    walletName,
    walletVersion,
    word(terms.chainId),
    addressWord(order.signer),
    NO_SALT,
  ]);
  const typeText = Buffer.from(ORDER_TYPE).toString('hex');
  const length = ORDER_TYPE.length.toString(16).padStart(4, '0');
  return { orderHash, signature: `${signHash(typedHash(domain, wallet))}${domain}${contents}${typeText}${length}` };
}

function contentsOf(order: HashedOrder): string {
  return hashOfWords([
    orderType,
    word(order.salt),
    addressWord(order.maker),
    addressWord(order.signer),
    word(order.tokenId),
    word(order.makerAmount),
    word(order.takerAmount),
    word(order.side === 'BUY' ? 0 : 1),
    word(order.signatureType),
    word(order.timestamp),
    order.metadata.slice(2),
    order.builder.slice(2),
  ]);
}

/** Domain separators by contract and version, without the prefix: there are three, which never change. */
const domains = new Map<string, string>();

function domainOf(terms: HashTerms): string {
  const { version, negRisk, chainId } = terms;
  const key = `${version} ${negRisk} ${chainId}`;
  const known = domains.get(key);
  if (known !== undefined) return known;
  const verifyingContract = exchangeContract(terms) as Hex;
  const domain = { name: DOMAIN_NAME, version: String(version), chainId, verifyingContract };
  const separator = domainSeparator({ domain }).slice(2);
  domains.set(key, separator);
  return separator;
}

function typedHash(domain: string, contents: string): Hex {
  return hashOf(`1901${domain}${contents}`);
}

function hashOfWords(words: readonly string[]): string {
  return hashOf(words.join('')).slice(2);
}

function hashOfText(text: string): string {
  return hashOf(Buffer.from(text).toString('hex')).slice(2);
}

function hashOf(digits: string): Hex {
  return keccak256(Buffer.from(digits, 'hex'));
}

/** 32 bytes of a whole number. */
function word(value: string | number): string {
  return BigInt(value).toString(16).padStart(64, '0');
}

function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}
