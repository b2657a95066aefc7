/** What the address of /admin leaves out. Apart from what reads it, which is not to be loaded before the login page. */
export const ADMIN_SEARCH_DEFAULTS = { page: 1 } as const;
