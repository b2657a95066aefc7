import {
  IconAdjustmentsHorizontal,
  IconAlertTriangle,
  IconArrowsExchange,
  IconBan,
  IconBell,
  IconBriefcase,
  IconCheck,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconDots,
  IconDownload,
  IconEye,
  IconFilter,
  IconHome,
  IconList,
  IconListDetails,
  IconLogout,
  IconMenu2,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconShieldCheck,
  IconStack2,
  IconTrash,
  IconUpload,
  IconUser,
} from '@tabler/icons-react';

const ICONS = {
  menu: IconMenu2,
  dots: IconDots,
  home: IconHome,
  arbitrage: IconArrowsExchange,
  batches: IconStack2,
  orders: IconListDetails,
  portfolio: IconBriefcase,
  bell: IconBell,
  items: IconList,
  settings: IconAdjustmentsHorizontal,
  admin: IconShieldCheck,
  user: IconUser,
  logout: IconLogout,
  copy: IconCopy,
  upload: IconUpload,
  download: IconDownload,
  check: IconCheck,
  refresh: IconRefresh,
  edit: IconPencil,
  plus: IconPlus,
  trash: IconTrash,
  eye: IconEye,
  search: IconSearch,
  back: IconChevronLeft,
  next: IconChevronRight,
  filter: IconFilter,
  stop: IconBan,
  alert: IconAlertTriangle,
} as const;

export type IconName = keyof typeof ICONS;

/** One icon for one thing on every screen; always beside a text or in a named button, so hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const Drawn = ICONS[name];
  return <Drawn size={size} stroke={1.8} aria-hidden="true" focusable="false" />;
}
