const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the command palette, as this machine's keyboard calls them. */
export const COMMAND_KEY = isApple ? { shown: 'Cmd K', aria: 'Meta+K' } : { shown: 'Ctrl K', aria: 'Control+K' };
