// The first date that a page writes makes the browser load the reader's locale, which takes tens of milliseconds. Here
// that happens beside the page; the page's own first date then finds it loaded.
new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(0);
close();
