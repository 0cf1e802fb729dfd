// Whether a path is a folder, or lies in it: by their names alone, which have to be real paths. Runs in Node, pure.
import { sep } from 'node:path';

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
