/** What an address leaves out. Apart from what reads one, which is not to be loaded before the login page. */
export const LEDGER_SEARCH_DEFAULTS = { page: 1, sortBy: 'at', sortOrder: 'desc' } as const;
