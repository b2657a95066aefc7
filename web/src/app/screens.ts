import type { IconName } from '../ui/icons.tsx';

type Screen = { to: string; icon: IconName; label: string; goKey: string; isForSuperusers?: boolean };

/** The entries of the sidebar; `goKey`, pressed after g, leads there. */
const SCREENS = [
  { to: '/', icon: 'home', label: 'Dashboard', goKey: 'd' },
  { to: '/arbitrage', icon: 'arbitrage', label: 'Arbitrage', goKey: 'a' },
  { to: '/discover', icon: 'search', label: 'Discover', goKey: 'r' },
  { to: '/batches', icon: 'batches', label: 'Batch Orders', goKey: 'b' },
  { to: '/orders', icon: 'orders', label: 'Orders', goKey: 'o' },
  { to: '/portfolio', icon: 'portfolio', label: 'Portfolio', goKey: 'p' },
  { to: '/report', icon: 'report', label: 'Report', goKey: 'e' },
  { to: '/ledger', icon: 'ledger', label: 'Ledger', goKey: 'l' },
  { to: '/notifications', icon: 'bell', label: 'Notifications', goKey: 'n' },
  { to: '/items', icon: 'items', label: 'Items', goKey: 'i' },
  { to: '/settings', icon: 'settings', label: 'Settings', goKey: 's' },
  { to: '/admin', icon: 'admin', label: 'Admin', goKey: 'u', isForSuperusers: true },
] as const satisfies readonly Screen[];

/** Not in the sidebar: `within` is the screen that leads there. */
export const INNER_SCREENS = [
  { to: '/submissions', label: 'Submissions', within: 'Portfolio' },
  { to: '/approvals', label: 'Approvals', within: 'Portfolio' },
  { to: '/admin/sign-offs', label: 'Sign-Offs', within: 'Admin' },
  { to: '/report/batches', label: 'Results of Batches', within: 'Report' },
] as const;

/** The screens that this user may see. */
export function screensFor(user: { is_superuser: boolean } | undefined) {
  return SCREENS.filter((screen) => !('isForSuperusers' in screen) || user?.is_superuser === true);
}
