import type { ReactNode } from 'react';

const PATHS = {
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  dots: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
  home: <path d="M4 11l8-7 8 7M6 9.5V20h12V9.5" />,
  arbitrage: <path d="M4 8h13l-3.5-3.5M20 16H7l3.5 3.5" />,
  batches: <path d="M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4" />,
  bell: <path d="M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.7a2.2 2.2 0 0 0 4 0" />,
  items: <path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" />,
  settings: (
    <path d="M4 7h9M19 7h1M4 17h2M12 17h8M13 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM6 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0z" />
  ),
  admin: <path d="M12 3.5l7 2.5v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6zM9 12l2.2 2.2L15.5 10" />,
  user: <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c1.2-3.6 4.1-5 7.5-5s6.3 1.4 7.5 5" />,
  logout: <path d="M10 4H5v16h5M14 8l4 4-4 4M18 12H9" />,
  copy: <path d="M9 9h11v11H9zM5 15H4V4h11v1" />,
  upload: <path d="M12 16V4M7 9l5-5 5 5M4 16v4h16v-4" />,
  download: <path d="M12 4v12M7 11l5 5 5-5M4 16v4h16v-4" />,
  check: <path d="M5 13l4.5 4.5L19 7" />,
  refresh: <path d="M19 6v5h-5M5 18v-5h5M18 11a6.5 6.5 0 0 0-11.5-3M6 13a6.5 6.5 0 0 0 11.5 3" />,
  edit: <path d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4" />,
  plus: <path d="M12 5v14M5 12h14" />,
  trash: <path d="M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13" />,
  eye: (
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z" />
  ),
  search: <path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5" />,
  back: <path d="M14.5 6l-6 6 6 6" />,
  next: <path d="M9.5 6l6 6-6 6" />,
  filter: <path d="M4 6h16l-6.5 7.5V20l-3-2v-4.5z" />,
  stop: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 8.5l7 7M15.5 8.5l-7 7" />,
  alert: <path d="M12 4l9 16H3zM12 10v4M12 17h.01" />,
} as const;

export type IconName = keyof typeof PATHS;

/** Drawn by ourselves; always beside a text or in a named button, so hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {PATHS[name]}
    </svg>
  );
}
