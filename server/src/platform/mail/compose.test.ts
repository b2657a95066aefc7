import { expect, it } from 'vitest';
import { composeLetter } from './compose.ts';

it('a letter says the same as text and as HTML, where nothing in it is taken for markup or fetched from elsewhere', () => {
  const url = 'https://desk.example/reset-password?token=abc&x="1"';
  const { text, html } = composeLetter('ada@example.com', {
    subject: 'Set a <new> password',
    paragraphs: ['A person at <script>alert(1)</script> asked.'],
    link: { label: 'Set it', url },
    afterLink: ["It's nothing? Do nothing."],
  });
  expect(text).toContain(`A person at <script>alert(1)</script> asked.\n\nSet it:\n${url}\n\nIt's nothing?`);
  expect(html).not.toContain('<script>');
  const escaped = 'https://desk.example/reset-password?token=abc&amp;x=&quot;1&quot;';
  expect(html).toContain(`<a href="${escaped}"`);
  expect(html).toContain(`>${escaped}</a>`);
  for (const part of ['Set a &lt;new&gt; password', '&lt;script&gt;alert(1)', 'It&#39;s nothing?', 'light dark'])
    expect(html).toContain(part);
  expect(html).not.toMatch(/<img|<link|url\(|src=/);
});
