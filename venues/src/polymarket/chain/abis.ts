import { parseAbi } from 'viem';

export const PUSD_ABI = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** Calls shared by Conditional Tokens and the position manager of Protocol V2. */
export const HOLDINGS_ABI = parseAbi([
  'function balanceOfBatch(address[] owners, uint256[] ids) view returns (uint256[])',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function setApprovalForAll(address operator, bool approved)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);

/** Event of a redemption, emitted by Conditional Tokens and by the position manager of Protocol V2. */
export const STEP_EVENTS_ABI = parseAbi([
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
]);

/** Event of a redemption, emitted by the negative-risk adapter. */
export const NEG_RISK_EVENTS_ABI = parseAbi([
  'event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)',
]);

/** Calls of both collateral adapters. */
export const ADAPTER_ABI = parseAbi([
  'function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)',
]);

export const NEG_RISK_ABI = parseAbi([
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
  'function getFeeBips(bytes32 marketId) view returns (uint256)',
]);

export const ROUTER_ABI = parseAbi([
  'function split(bytes31 conditionId, uint256 amount)',
  'function merge(bytes31 conditionId, uint256 amount)',
  'function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount)',
  'function convert(bytes29 eventId, uint16 index, uint256 amount)',
  'function horizontalSplit(bytes29 eventId, uint256 amount)',
  'function horizontalMerge(bytes29 eventId, uint256 amount)',
  'function mergeDirectional(bytes29 eventId, uint256 low, uint256 high, uint256 amount)',
]);

/** Calls of a Safe and of a deposit wallet. */
export const WALLET_ABI = parseAbi(['function nonce() view returns (uint256)']);

/** Call of the relay hub of proxy wallets; the nonce counts transactions of the signing key. */
export const RELAY_HUB_ABI = parseAbi(['function getNonce(address from) view returns (uint256)']);

export const MULTISEND_ABI = parseAbi(['function multiSend(bytes transactions)']);

export const PROXY_ABI = parseAbi([
  'function proxy((uint8 typeCode, address to, uint256 value, bytes data)[] calls) payable returns (bytes[])',
]);
