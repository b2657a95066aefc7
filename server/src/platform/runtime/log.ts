import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

/** Names whose values never reach the log, wherever they stand. */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'password',
  'new_password',
  'current_password',
  'token',
  'access_token',
  'device_token',
  'bot_token',
];

const REDACTED_PATHS = [
  ...SECRET_NAMES,
  ...['secretKey', 'privateKey', 'databaseUrl', 'smtpUrl', 'chain.relayerKey', 'chain.rpcUrls'],
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export function openLog({ logLevel }: { logLevel: string }, destination: DestinationStream): Logger {
  const redact = { paths: REDACTED_PATHS, censor: '[secret]' };
  const options = { level: logLevel, base: null, redact, serializers: { err: errorForLog } };
  return pino(options, destination);
}

/**
 * An error as the log keeps it. A failed statement is reported with its parameters, in the message, the stack and a
 * property: the hash of a password or a mailed link may be among them, so they are left out.
 */
function errorForLog(error: unknown): unknown {
  return error instanceof Error ? withoutParameters(error) : error;
}

/** The texts of an error and of what caused it, without what a failed statement was to store. */
export function withoutParameters(error: Error): { type: string; message: string; stack: string } {
  const { type, message, stack, params: _, query: __, ...others } = stdSerializers.err(error);
  const clean = (text: string) => parametersIn(error).reduce((left, reported) => left.replaceAll(reported, ''), text);
  return { type, message: clean(message), stack: clean(stack), ...plainFields(others) };
}

/** Its codes and names. The database's client hangs itself on an error, with its socket, its address and what it has sent. */
function plainFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => typeof field !== 'object'));
}

/** As the texts of an error and of what caused it repeat them. */
function parametersIn(error: Error): string[] {
  const own = 'query' in error && 'params' in error ? [`\nparams: ${error.params}`] : [];
  return error.cause instanceof Error ? [...own, ...parametersIn(error.cause)] : own;
}
