// Runs before the first paint, so that a dark page never flashes light. Written for every browser, hence no modules.
(() => {
  let chosen = null;
  try {
    chosen = window.localStorage.getItem('theme');
  } catch {
    // Storage may be forbidden; the system's preference still holds.
  }
  const systemDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark ? 'dark' : 'light';
  const page = document.documentElement;
  page.classList.remove('light', 'dark');
  page.classList.add(scheme);
  page.setAttribute('data-mantine-color-scheme', scheme);
})();
