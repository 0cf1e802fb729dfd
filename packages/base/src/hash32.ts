// A hash that is pure: core has no crypto. It tells texts apart that nobody has made to look alike.

// a local name: in the sandbox every access to a global costs, and this runs for every character of a result
const { imul } = Math;

/** FNV-1a over UTF-16 units as 8 hex digits; other constants give a second, independent hash. */
export function hash32(text: string, start = 0x811c9dc5, factor = 0x01000193): string {
  let value = start;
  for (let index = 0; index < text.length; index++) value = imul(value ^ text.charCodeAt(index), factor);
  return (value >>> 0).toString(16).padStart(8, '0');
}
