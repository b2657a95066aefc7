import { API_PREFIX, type Method } from '@dutchbook/contract/endpoint.ts';
import { asc, eq } from 'drizzle-orm';
import { auditLog } from '../audit/table.ts';
import type { TestApp } from './app.fixture.ts';

/** Makes one call below /api/v1. @returns its status and its JSON, the answer or what was refused */
export async function ask(
  { http }: Pick<TestApp, 'http'>,
  headers: Record<string, string>,
  method: Method,
  path: string,
  payload?: Record<string, unknown>,
): Promise<[status: number, body: Record<string, unknown>]> {
  const reply = await http.inject({ method, url: `${API_PREFIX}${path}`, headers, ...(payload && { payload }) });
  return [reply.statusCode, reply.json<Record<string, unknown>>()];
}

/** What the audit log says was done to an object, in order. */
export async function recorded({ test }: Pick<TestApp, 'test'>, object: string) {
  const { action, actor, address, before, after } = auditLog;
  return test.runtime.db
    .select({ action, actor, address, before, after })
    .from(auditLog)
    .where(eq(auditLog.object, object))
    .orderBy(asc(auditLog.seq));
}
