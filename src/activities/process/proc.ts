// Reads /proc. An entry may vanish at any moment, and other systems have none; both read as empty. Runs in Node.
import { readFileSync, readdirSync } from 'node:fs';

export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
