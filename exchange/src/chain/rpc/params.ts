import { getAddress, type Hex } from 'viem';
import { z } from 'zod';
import { CONFIRMATIONS } from '../chain.ts';
import { RpcError } from './error.ts';
import type { ChainView } from './view.ts';

/** How far back a node of this kind still knows the state. */
const KEPT_BLOCKS = 128;

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text as Hex);

export const address = hex(/^0x[0-9a-fA-F]{40}$/).transform((text) => getAddress(text));
export const hash = hex(/^0x[0-9a-fA-F]{64}$/);
export const bytes = hex(/^0x([0-9a-fA-F]{2})*$/);
const quantity = hex(/^0x[0-9a-fA-F]{1,64}$/);
export const blockTag = z
  .union([
    z.enum(['latest', 'pending', 'safe', 'finalized', 'earliest']),
    quantity,
    z.object({ blockNumber: quantity }),
  ])
  .optional();

export type BlockTag = z.infer<typeof blockTag>;

/** What is tried out. */
export const callObject = z.object({
  from: address.optional(),
  to: address.nullish(),
  data: bytes.optional(),
  input: bytes.optional(),
  value: quantity.optional(),
});

type Values<T extends readonly z.ZodType[]> = { -readonly [K in keyof T]: z.infer<T[K]> };

/** The parameters that a method takes; those behind them are ignored. @throws RpcError for one that is not as it should be */
export function paramsOf<const T extends readonly z.ZodType[]>(shapes: T, params: readonly unknown[]): Values<T> {
  return shapes.map((shape, place) => {
    const parsed = shape.safeParse(params[place]);
    if (parsed.success) return parsed.data;
    throw new RpcError(-32_602, `invalid argument ${place}: ${z.prettifyError(parsed.error)}`);
  }) as Values<T>;
}

/** The number of the block that is meant. @throws RpcError for one that there is not yet */
export function heightOf(tag: BlockTag, view: ChainView): number {
  if (tag === undefined || tag === 'latest' || tag === 'pending') return view.height();
  if (tag === 'safe' || tag === 'finalized') return view.height() - CONFIRMATIONS;
  if (tag === 'earliest') return 0;
  const height = Number(typeof tag === 'string' ? tag : tag.blockNumber);
  if (height > view.height()) throw new RpcError(-32_000, 'header not found');
  return height;
}

/** The height of a block whose state is still kept. */
export function stateHeightOf(tag: BlockTag, view: ChainView): number {
  const height = heightOf(tag, view);
  if (height <= view.height() - KEPT_BLOCKS) throw new RpcError(-32_000, 'missing trie node');
  return height;
}
