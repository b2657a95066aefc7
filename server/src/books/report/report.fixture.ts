/** The calls of the report over rows that a test writes itself. */
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { countSettlements } from '../../trading/execution/settlements.ts';
import { registerReport } from './routes.ts';

export type ReportSite = TestApp & {
  /** Of a user who is no superuser. @returns what was answered, which has to be 200 */
  ask: <Body>(path: string) => Promise<Body>;
  askRaw: (path: string) => Promise<{ status: number; text: string }>;
  settings: { hurdle: typeof FRACTION_ZERO; pause_above_failed: typeof FRACTION_ZERO | null };
};

export async function openReportSite(variables: Record<string, string> = {}): Promise<ReportSite> {
  const site = await openTestApp({ variables });
  const settings: ReportSite['settings'] = { hurdle: FRACTION_ZERO, pause_above_failed: null };
  registerReport(site.app, site.test.runtime, { settings: { current: () => settings }, countSettlements });
  const { headers } = await site.signedIn({ email: 'Reader@example.com' });
  const askRaw = async (path: string) => {
    const { statusCode, body } = await site.http.inject({ url: `${API_PREFIX}/report/${path}`, headers });
    return { status: statusCode, text: body };
  };
  return {
    ...site,
    settings,
    askRaw,
    ask: async <Body>(path: string) => {
      const { status, text } = await askRaw(path);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return JSON.parse(text) as Body;
    },
  };
}
