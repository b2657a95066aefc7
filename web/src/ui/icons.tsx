import { __iconNode as settings } from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs';
import { __iconNode as alert } from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { __iconNode as arbitrage } from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import { __iconNode as stop } from '@tabler/icons-react/dist/esm/icons/IconBan.mjs';
import { __iconNode as bell } from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { __iconNode as ledger } from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs';
import { __iconNode as portfolio } from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs';
import { __iconNode as report } from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs';
import { __iconNode as check } from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { __iconNode as back } from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import { __iconNode as next } from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { __iconNode as copy } from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { __iconNode as dots } from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { __iconNode as download } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { __iconNode as eye } from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import { __iconNode as filter } from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs';
import { __iconNode as home } from '@tabler/icons-react/dist/esm/icons/IconHome.mjs';
import { __iconNode as items } from '@tabler/icons-react/dist/esm/icons/IconList.mjs';
import { __iconNode as orders } from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs';
import { __iconNode as logout } from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { __iconNode as menu } from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import { __iconNode as edit } from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { __iconNode as pinned } from '@tabler/icons-react/dist/esm/icons/IconPin.mjs';
import { __iconNode as plus } from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { __iconNode as refresh } from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { __iconNode as search } from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { __iconNode as admin } from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import { __iconNode as batches } from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
import { __iconNode as trash } from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { __iconNode as upload } from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { __iconNode as user } from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';

const ICONS = {
  menu,
  dots,
  home,
  arbitrage,
  batches,
  orders,
  portfolio,
  report,
  ledger,
  bell,
  items,
  settings,
  admin,
  user,
  logout,
  copy,
  upload,
  download,
  check,
  refresh,
  edit,
  pinned,
  plus,
  trash,
  eye,
  search,
  back,
  next,
  filter,
  stop,
  alert,
} as const;

export type IconName = keyof typeof ICONS;

/** All strokes of each as one: a page has a hundred icons, and each stroke by itself would be an element. */
const DRAWN = Object.fromEntries(
  Object.entries(ICONS).map(([name, strokes]) => [name, strokes.map(([, { d }]) => d).join('')]),
) as Record<IconName, string>;

/** One icon for one thing on every screen; always beside a text or in a named button, so hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={DRAWN[name]} />
    </svg>
  );
}
