import { parseAbi } from 'viem';

/** pUSD: an ERC-20 of six decimals. */
export const PUSD_ABI = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function decimals() view returns (uint8)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);

/** Makes pUSD of deposited dollars. */
export const ONRAMP_ABI = parseAbi(['function wrap(address asset, address to, uint256 amount)']);

/** What Conditional Tokens and the position manager of Protocol V2 have in common. */
export const HOLDINGS_ABI = parseAbi([
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function balanceOfBatch(address[] owners, uint256[] ids) view returns (uint256[])',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function setApprovalForAll(address operator, bool approved)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);

export const CONDITIONS_ABI = parseAbi([
  'function getCollectionId(bytes32 parentCollectionId, bytes32 conditionId, uint256 indexSet) view returns (bytes32)',
  'function getPositionId(address collateralToken, bytes32 collectionId) view returns (uint256)',
  'function getOutcomeSlotCount(bytes32 conditionId) view returns (uint256)',
  'function payoutNumerators(bytes32 conditionId, uint256 index) view returns (uint256)',
  'function payoutDenominator(bytes32 conditionId) view returns (uint256)',
]);

/** The calls of both collateral adapters. */
export const ADAPTER_ABI = parseAbi([
  'function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)',
]);

/** What the negative-risk adapter has besides. */
export const NEG_RISK_ABI = parseAbi([
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
  'function getQuestionCount(bytes32 marketId) view returns (uint256)',
  'function questionCount(bytes32 marketId) view returns (uint256)',
  'function getFeeBips(bytes32 marketId) view returns (uint256)',
  'function feeBips(bytes32 marketId) view returns (uint256)',
]);

/** The router of Protocol V2. Its selectors are pinned in the official SDK's tests. */
export const ROUTER_ABI = parseAbi([
  'function split(bytes31 conditionId, uint256 amount)',
  'function merge(bytes31 conditionId, uint256 amount)',
  'function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount)',
  'function convert(bytes29 eventId, uint16 index, uint256 amount)',
  'function horizontalSplit(bytes29 eventId, uint256 amount)',
  'function horizontalMerge(bytes29 eventId, uint256 amount)',
  'function composeThreshold(bytes29 eventId, uint256 line, uint8 side, uint256 amount)',
  'function decomposeThreshold(bytes29 eventId, uint256 line, uint8 side, uint256 amount)',
  'function splitDirectional(bytes29 eventId, uint256 low, uint256 high, uint256 amount)',
  'function mergeDirectional(bytes29 eventId, uint256 low, uint256 high, uint256 amount)',
]);

/** What the contracts tell of what they did; both protocols' are read by the same names. */
export const STEP_EVENTS_ABI = parseAbi([
  'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
  'event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)',
]);

export const RELAY_HUB_ABI = parseAbi(['function getNonce(address from) view returns (uint256)']);

export const WALLET_ABI = parseAbi(['function nonce() view returns (uint256)']);
