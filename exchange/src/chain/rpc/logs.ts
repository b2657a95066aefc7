import { z } from 'zod';
import type { Blocks } from '../blocks.ts';
import { RpcError } from './error.ts';
import { address, blockTag, hash, heightOf, paramsOf } from './params.ts';
import { wireLogs } from './shapes.ts';
import type { ChainView, MinedTransaction } from './view.ts';

const BLOCKS_MAX = 10_000;
const LOGS_MAX = 10_000;

const oneOrMany = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).max(1_000)]);

const filter = z.object({
  fromBlock: blockTag,
  toBlock: blockTag,
  blockHash: hash.optional(),
  address: oneOrMany(address).optional(),
  topics: z.array(oneOrMany(hash).nullable()).max(4).optional(),
});

/** @throws RpcError for a range, or an answer, that is too long */
export function findLogs(params: readonly unknown[], view: ChainView, blocks: Blocks) {
  const [wanted] = paramsOf([filter], params);
  const [from, to] = rangeOf(wanted, view, blocks);
  if (to - from > BLOCKS_MAX) throw new RpcError(-32_005, `block range is more than ${BLOCKS_MAX}`);
  const addresses = wanted.address === undefined ? undefined : [wanted.address].flat().map(lower);
  const topics = (wanted.topics ?? []).map((topic) => (topic === null ? null : [topic].flat().map(lower)));
  const found = withPlaces(view.minedBetween(from, to))
    .flatMap(({ transaction, logsBefore }) => wireLogs(transaction, blocks, logsBefore))
    .filter((log) => addresses === undefined || addresses.includes(log.address.toLowerCase()))
    .filter((log) => topics.every((allowed, place) => allowed?.includes(lower(log.topics[place] ?? '')) ?? true));
  if (found.length > LOGS_MAX) throw new RpcError(-32_005, `query returned more than ${LOGS_MAX} results`);
  return found;
}

/** Each transaction with the number of logs before it in its block. */
export function withPlaces(mined: readonly MinedTransaction[]) {
  let height = -1;
  let logs = 0;
  return mined.map((transaction) => {
    if (transaction.mined.height !== height) logs = 0;
    height = transaction.mined.height;
    const logsBefore = logs;
    logs += transaction.mined.logs.length;
    return { transaction, logsBefore };
  });
}

function rangeOf(wanted: z.infer<typeof filter>, view: ChainView, blocks: Blocks): [number, number] {
  if (wanted.blockHash === undefined) {
    const to = wanted.toBlock === undefined ? view.height() : heightOf(wanted.toBlock, view);
    return [heightOf(wanted.fromBlock, view), to];
  }
  const height = blocks.heightOf(wanted.blockHash, BLOCKS_MAX);
  if (height === undefined || height > view.height()) throw new RpcError(-32_000, 'unknown block');
  return [height, height];
}

function lower(text: string): string {
  return text.toLowerCase();
}
