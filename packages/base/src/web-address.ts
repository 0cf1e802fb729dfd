// An address from outside that people may open. Pure.

/** The address as URLs are written, so that no character of it ends a link; undefined for anything but a page on the web. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.href;
}
