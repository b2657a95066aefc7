import { start } from '@dutchbook/server/start.ts';
import { openDatabase } from './databases.ts';
import { openExchangeThread } from './exchange/exchange.ts';
import { EMPTY, fillDatabase } from './filled.ts';

/** The empty product in this process, on an exchange in a thread of its own that has money for any order. */
export async function openTradingProduct() {
  const exchange = await openExchangeThread();
  const database = await openDatabase();
  const { config, authorization } = await fillDatabase({ ...database.variables, ...exchange.variables }, EMPTY);
  const { url, stop } = await start(config, () => {});
  await exchange.control('balance', { usd: '1000000' });
  return {
    exchange,
    authorization,
    url,
    api: `${url}/api/v1`,
    async [Symbol.asyncDispose]() {
      await stop();
      await database[Symbol.asyncDispose]();
      await exchange[Symbol.asyncDispose]();
    },
  };
}
