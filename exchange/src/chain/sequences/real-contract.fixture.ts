import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Account, type Address, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { createVM, type VM } from '@ethereumjs/vm';
import {
  bytesToHex,
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  parseAbi,
  zeroHash,
} from 'viem';

const require = createRequire(import.meta.url);
const CONTRACTS = '@gnosis.pm/conditional-tokens-contracts';
const ORACLE: Hex = '0x00000000000000000000000000000000000c0de0';
const GAS = 20_000_000n;

const ABI = parseAbi([
  'function prepareCondition(address oracle, bytes32 questionId, uint256 outcomeSlotCount)',
  'function reportPayouts(bytes32 questionId, uint256[] payouts)',
  'function splitPosition(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function redeemPositions(address collateralToken, bytes32 parentCollectionId, bytes32 conditionId, uint256[] indexSets)',
  'function getCollectionId(bytes32 parentCollectionId, bytes32 conditionId, uint256 indexSet) view returns (bytes32)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
]);
const DOLLARS_ABI = parseAbi([
  'function mint(address account, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/** The published bytecode of Conditional Tokens, with a plain ERC-20 for dollars, in a machine of its own. */
export class RealContract {
  readonly #vm: VM;
  readonly #tokens: Hex;
  readonly #dollars: Hex;
  readonly #sets = [1n, 2n] as const;

  private constructor(vm: VM, tokens: Hex, dollars: Hex) {
    this.#vm = vm;
    this.#tokens = tokens;
    this.#dollars = dollars;
  }

  /** @param micro what each owner has to begin with */
  static async open(owners: readonly Hex[], micro: bigint): Promise<RealContract> {
    const vm = await createVM();
    await vm.stateManager.putAccount(addressOf(ORACLE), new Account());
    const contracts = require.resolve(`${CONTRACTS}/package.json`);
    const dollarsFile = createRequire(contracts).resolve('openzeppelin-solidity/build/contracts/ERC20Mintable.json');
    const tokens = await deploy(vm, require.resolve(`${CONTRACTS}/build/contracts/ConditionalTokens.json`));
    const real = new RealContract(vm, tokens, await deploy(vm, dollarsFile));
    for (const owner of owners) {
      const mint = encodeFunctionData({ abi: DOLLARS_ABI, functionName: 'mint', args: [owner, micro] });
      const approve = encodeFunctionData({ abi: DOLLARS_ABI, functionName: 'approve', args: [tokens, 2n ** 255n] });
      await real.#call(ORACLE, real.#dollars, mint);
      await real.#call(owner, real.#dollars, approve);
    }
    return real;
  }

  /** A condition of two outcomes, by its question; the ids of the two positions are asked of the contract. */
  async prepare(questionId: Hex) {
    const prepare = { abi: ABI, functionName: 'prepareCondition', args: [ORACLE, questionId, 2n] } as const;
    await this.#call(ORACLE, this.#tokens, encodeFunctionData(prepare));
    const conditionId = keccak256(encodePacked(['address', 'bytes32', 'uint256'], [ORACLE, questionId, 2n]));
    const position = async (set: bigint) => {
      const call = { abi: ABI, functionName: 'getCollectionId', args: [zeroHash, conditionId, set] } as const;
      const { returned } = await this.#call(ORACLE, this.#tokens, encodeFunctionData(call));
      const collection = decodeFunctionResult({ abi: ABI, functionName: 'getCollectionId', data: returned });
      return BigInt(keccak256(encodePacked(['address', 'bytes32'], [this.#dollars, collection])));
    };
    return { questionId, conditionId, positions: [await position(1n), await position(2n)] as const };
  }

  /** False when the contract reverts. */
  async move(owner: Hex, functionName: 'splitPosition' | 'mergePositions', conditionId: Hex, micro: bigint) {
    const args = [this.#dollars, zeroHash, conditionId, this.#sets, micro] as const;
    return (await this.#call(owner, this.#tokens, encodeFunctionData({ abi: ABI, functionName, args }))).isDone;
  }

  async redeem(owner: Hex, conditionId: Hex) {
    const args = [this.#dollars, zeroHash, conditionId, this.#sets] as const;
    return (
      await this.#call(owner, this.#tokens, encodeFunctionData({ abi: ABI, functionName: 'redeemPositions', args }))
    ).isDone;
  }

  async report(questionId: Hex, payouts: readonly bigint[]): Promise<void> {
    const data = encodeFunctionData({ abi: ABI, functionName: 'reportPayouts', args: [questionId, payouts] });
    await this.#call(ORACLE, this.#tokens, data);
  }

  async tokensOf(owner: Hex, id: bigint): Promise<bigint> {
    const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [owner, id] });
    return BigInt((await this.#call(owner, this.#tokens, data)).returned);
  }

  async cashOf(owner: Hex): Promise<bigint> {
    const data = encodeFunctionData({ abi: DOLLARS_ABI, functionName: 'balanceOf', args: [owner] });
    return BigInt((await this.#call(owner, this.#dollars, data)).returned);
  }

  /** The dollars that the contract holds for all owners. */
  async collateral(): Promise<bigint> {
    return this.cashOf(this.#tokens);
  }

  async #call(from: Hex, to: Hex, data: Hex): Promise<{ isDone: boolean; returned: Hex }> {
    const { execResult } = await this.#vm.evm.runCall({
      caller: addressOf(from),
      to: addressOf(to),
      data: hexToBytes(data),
      gasLimit: GAS,
    });
    return { isDone: execResult.exceptionError === undefined, returned: bytesToHex(execResult.returnValue) };
  }
}

function addressOf(hex: Hex): Address {
  return createAddressFromString(hex);
}

async function deploy(vm: VM, file: string): Promise<Hex> {
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex };
  const { createdAddress } = await vm.evm.runCall({
    caller: addressOf(ORACLE),
    data: hexToBytes(bytecode),
    gasLimit: GAS,
  });
  if (createdAddress === undefined) throw new Error(`${file} could not be deployed`);
  return bytesToHex(createdAddress.bytes);
}
