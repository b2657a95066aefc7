import { decodeFunctionData } from 'viem';
import { ADAPTER_ABI, ROUTER_ABI } from '../contracts/abis.ts';
import type { Call } from '../contracts/call.ts';

const MERGES_A_DAY = 100;
const DAY_MS = 86_400_000;
const SUBMITS_A_MINUTE = 25;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** One submission, as quotas count it. */
export interface Counted {
  readonly from: string;
  readonly atMs: number;
  readonly isMerge: boolean;
}

/** How long until the user may submit again; undefined when it may now. */
export function rateLimitedSeconds(from: string, nowMs: number, counted: readonly Counted[]): number | undefined {
  const recent = counted.filter((one) => one.from === from && one.atMs > nowMs - MINUTE_MS);
  const [first] = recent;
  if (recent.length < SUBMITS_A_MINUTE || first === undefined) return undefined;
  return Math.ceil((first.atMs + MINUTE_MS - nowMs) / SECOND_MS);
}

/** How long until the user may merge again: a day after the first merge that still counts. */
export function quotaSeconds(from: string, nowMs: number, counted: readonly Counted[]): number | undefined {
  const merges = counted.filter((one) => one.isMerge && one.from === from && one.atMs > nowMs - DAY_MS);
  const [first] = merges;
  if (merges.length < MERGES_A_DAY || first === undefined) return undefined;
  return Math.ceil((first.atMs + DAY_MS - nowMs) / SECOND_MS);
}

const MERGES = new Set(['mergePositions', 'merge', 'horizontalMerge', 'mergeDirectional']);

/** Whether a submission costs a unit of the day's merges; however many it holds, it costs one. */
export function isMerging(calls: readonly Call[]): boolean {
  return calls.some(({ data }) => {
    try {
      return MERGES.has(decodeFunctionData({ abi: [...ADAPTER_ABI, ...ROUTER_ABI], data }).functionName);
    } catch {
      return false;
    }
  });
}
