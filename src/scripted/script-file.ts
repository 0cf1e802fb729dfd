// Reads a model script from YAML or JSON text (JSON is YAML). Runs where files are read: worker, CLI.
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { ModelScript } from './model-script.ts';
import { modelScriptSchema } from './model-script.schema.ts';

/** The script in a file. Throws with file, line or field, and what was expected there. */
export async function loadModelScript(path: string): Promise<ModelScript> {
  return parseModelScript(
    await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error)),
    path,
  );
}

function unreadable(path: string, error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  throw new Error(`Model script ${path} cannot be read (${reason}). Expected a YAML or JSON file.`);
}

/** The same for text that is already here; `name` stands for the file in messages. */
export function parseModelScript(text: string, name: string): ModelScript {
  const document = parseDocument(text, { lineCounter: new LineCounter() });
  const fault = document.errors[0];
  if (fault !== undefined) throw new Error(`Model script ${name} is not valid YAML: ${fault.message}`);
  const parsed = modelScriptSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  throw new Error(`Model script ${name} cannot be played:\n${z.prettifyError(parsed.error)}`);
}
