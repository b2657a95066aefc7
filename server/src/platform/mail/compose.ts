import type { Letter } from '../runtime/mail.ts';
import { escapeHtml } from './escape-html.ts';

/** What a letter says; every text is plain and is made safe for HTML here. */
export type LetterContent = {
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do: a button, and the address beside it as text. */
  link?: { label: string; url: string };
  afterLink?: readonly string[];
};

/** A letter as plain text and as HTML, without remote content and without colours but the button's. */
export function composeLetter(to: string, content: LetterContent): Letter {
  return { to, subject: content.subject, text: plainText(content), html: htmlPage(content) };
}

function plainText({ paragraphs, link, afterLink = [] }: LetterContent): string {
  const action = link ? [`${link.label}:\n${link.url}`] : [];
  return `${[...paragraphs, ...action, ...afterLink, '--\nDutchbook'].join('\n\n')}\n`;
}

const BODY = 'margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#087f5b;color:#ffffff;font-weight:600;text-decoration:none';

function htmlPage({ subject, paragraphs, link, afterLink = [] }: LetterContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark; }</style>
</head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:700">Dutchbook</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${htmlParagraphs(paragraphs)}
${link ? htmlLink(link) : ''}
${htmlParagraphs(afterLink)}
</div>
</body>
</html>
`;
}

function htmlParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n');
}

function htmlLink({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url);
  return `<p style="margin:0 0 16px"><a href="${address}" style="${BUTTON}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px">If the button does not work, copy this address into your browser:<br>
<a href="${address}" style="word-break:break-all">${address}</a></p>`;
}
