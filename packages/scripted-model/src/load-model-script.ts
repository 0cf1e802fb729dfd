// Reads a model script from a YAML or JSON file. Runs in Node.
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type ModelScript, modelScriptSchema } from './model-script.ts';

/** The script in a YAML or JSON file (JSON is YAML). Throws with file, line or field, and what was expected there. */
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

/** Like `loadModelScript`, for a text; `name` is the file name in messages. */
export function parseModelScript(text: string, name: string): ModelScript {
  const document = parseDocument(text, { merge: true });
  const fault = document.errors[0];
  if (fault !== undefined) throw new Error(`Model script ${name} is not valid YAML: ${fault.message}`);
  const parsed = modelScriptSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  throw new Error(`Model script ${name} cannot be played:\n${z.prettifyError(parsed.error)}`);
}
