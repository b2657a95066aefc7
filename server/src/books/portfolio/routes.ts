import { readEquity, readPortfolio } from '@dutchbook/contract/portfolio.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import { openEquity } from '../equity/equity.ts';
import { openPortfolio } from './portfolio.ts';

export function registerPortfolio(app: App, parts: Parameters<typeof openPortfolio>[0]): void {
  const read = openPortfolio(parts);
  route(app, readPortfolio, () => read());
  const equity = openEquity(parts);
  route(app, readEquity, () => equity());
}
