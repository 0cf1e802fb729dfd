// How files are listed for the model: size, time of the last change, name. Runs in Node.
import { lstat } from 'node:fs/promises';

/** One line: UTC time of the last change, size in bytes, name; folders end in "/", links in "@". */
export async function describeEntry(path: string, name: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return `${'?'.padEnd(20)} ${'?'.padStart(12)} ${oneLine(name)}`;
  const time = `${stats.mtime.toISOString().slice(0, 19)}Z`;
  const size = stats.isFile() ? String(stats.size) : '-';
  const mark = stats.isDirectory() ? '/' : stats.isSymbolicLink() ? '@' : '';
  return `${time} ${size.padStart(12)} ${oneLine(name)}${mark}`;
}

// A name may hold a line end, which would look like another entry.
function oneLine(name: string): string {
  return name.replaceAll(/[\r\n]/g, '?');
}
