/** Hands `content` to the browser as a download called `name`. */
export function saveFile(content: string | Blob, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has to start before its source goes away.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
