import { startExchange } from './start-exchange.ts';

const exchange = await startExchange({ port: Number(process.env.EXCHANGE_PORT ?? 0) });
process.stdout.write(`${JSON.stringify({ listening: exchange.url })}\n`);
