// The pins of MCP tools: the accepted definitions, in a file that is committed beside the config. Runs in Node.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
export const pinPartsSchema = z.strictObject({ description: digest, input: digest, annotations: digest });
/** SHA-256 of the parts of a tool that a person accepts; the tool's name is the key. */
export type PinParts = z.output<typeof pinPartsSchema>;

const fileSchema = z.strictObject({
  version: z.literal(1),
  servers: z.record(z.string(), z.record(z.string(), pinPartsSchema)),
});

/** By server, then by the server's own name of the tool. */
export type Pins = z.output<typeof fileSchema>['servers'];

/** A missing file has no pins. Throws an Error for a file that cannot be used, which must not count as empty. */
export async function readPins(path: string): Promise<Pins> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The file of MCP pins ${path} cannot be read (${error.code ?? error.message}).`);
  });
  if (text === undefined) return {};
  try {
    return fileSchema.parse(JSON.parse(text)).servers;
  } catch {
    throw new Error(
      `${path} is no file of MCP pins: expected the JSON that "holdfast mcp accept" writes. Restore it, or remove it ` +
        'and accept the tools anew.',
    );
  }
}

/** Sets the pins of some tools of one server, and keeps all others that are in the file by now. */
export async function addPins(path: string, server: string, added: Record<string, PinParts>): Promise<void> {
  const pins = await readPins(path);
  const servers = sorted({ ...pins, [server]: sorted({ ...pins[server], ...added }) });
  const next = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(next, `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`);
    await rename(next, path);
  } finally {
    await rm(next, { force: true }).catch(() => undefined);
  }
}

/** The differences from the pin, in words; empty without any. */
export function changesSince(pin: PinParts, now: PinParts): string[] {
  const words = { description: 'description', input: 'input schema', annotations: 'annotations' };
  const fields = ['description', 'input', 'annotations'] as const;
  return fields.filter((field) => pin[field] !== now[field]).map((field) => words[field]);
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}
