/** Under which the system status is kept: a file of its own, since the first page asks for it by this name and loads nothing else of it. */
export const systemStatusKey = ['system-status'];
