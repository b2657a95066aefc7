/** What lets this page's own style elements pass the content security policy; the server writes it anew each time. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
