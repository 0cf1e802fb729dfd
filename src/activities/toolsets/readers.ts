// The readers of a toolset: by fields of its file, by a built-in name, or by name from the module beside the file. Runs in
// Node.
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@holdfast/base/message-of';
import { fieldReader, templateFault } from '@holdfast/sources/field-reader';
import type { Reader, ReaderModule } from '@holdfast/sources/source-answer';
import { readTable } from '@holdfast/sources/table-reader';
import type { ToolsetTool } from '@holdfast/sources/toolset.schema';

const builtIn: Readonly<Record<string, Reader>> = { table: readTable };

/** The code of the starter set, which is compiled in a package and not beside its files there, but below dist. */
const starterCode = resolve(import.meta.dirname, '../../../catalog/toolsets');
const isBuilt = extname(import.meta.url) !== '.ts';
const starterFiles = isBuilt ? resolve(starterCode, '../../../catalog/toolsets') : starterCode;

/** `loki.ts` (or `.js`) for `loki.yaml`; empty without one. */
export async function readersBeside(file: string): Promise<ReaderModule> {
  const name = basename(file, extname(file));
  const folder = dirname(file) === starterFiles ? starterCode : dirname(file);
  const found = ['.ts', '.js', '.mjs']
    .map((ending) => join(folder, `${name}${ending}`))
    .find((path) => existsSync(path));
  try {
    return found === undefined ? {} : await import(pathToFileURL(found).href);
  } catch (error) {
    // the stack of a syntax error begins with its line
    const [place = found] = /^\S+:\d+(?=\n)/.exec(error instanceof Error ? (error.stack ?? '') : '') ?? [];
    throw new Error(`${place} cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

/** Undefined for a tool whose answer is text. Throws for a name that nothing has. */
export function readerOf({ name, read }: ToolsetTool, beside: ReaderModule): Reader | undefined {
  if (read === undefined) return undefined;
  if (typeof read !== 'string') {
    const fault = templateFault(read);
    if (fault !== undefined) throw new Error(`the tool ${name}: read: ${fault}`);
    return fieldReader(read);
  }
  const reader = builtIn[read] ?? beside[read];
  if (typeof reader === 'function') return reader as Reader;
  const names = Object.keys(beside).join(', ') || 'which exports none, or is not there';
  throw new Error(
    `the tool ${name}: read is "${read}": expected fields, table, or a function of the .ts or .js file beside it: ${names}`,
  );
}
