// Changes files in a process of its own: `node change-child.ts full <folder>` in a folder whose disk is small, and
// `node change-child.ts loop <folder>` until it is killed. Prints JSON lines.
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEditTool } from '../../src/activities/built-in/files/edit.ts';
import { createWriteTool } from '../../src/activities/built-in/files/write.ts';
import type { RegisteredTool, ToolContext } from '../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';

const [mode = '', folder = ''] = process.argv.slice(2);
const access = { roots: [folder], writable: { folders: [folder] } };
const file = join(folder, 'a.txt');

/** The text of the result, or of the refusal. */
async function call(tool: RegisteredTool, args: JsonObject): Promise<string> {
  const { basis } = (await tool.inspect?.(args)) ?? {};
  const signal = new AbortController().signal;
  const context = { basis, signal, attempt: 1, idempotencyKey: 'session/call' };
  try {
    const { text } = await tool.run(args, context as unknown as ToolContext);
    return text.split('\n')[0] ?? '';
  } catch (error) {
    return String(error);
  }
}

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

async function fillDisk(): Promise<void> {
  await writeFile(file, 'small\n');
  const filler = join(folder, 'filler');
  await writeFile(filler, Buffer.alloc(1024 * 1024)).catch(() => undefined);
  const edit = createEditTool(access);
  const large = { path: 'a.txt', edits: [{ old: 'small', new: 'x'.repeat(100_000) }] };
  print({
    edit: await call(edit, large),
    is: await readFile(file, 'utf8'),
    names: (await readdir(folder)).sort(),
  });
  const write = { path: 'b.txt', content: 'y'.repeat(100_000) };
  print({ write: await call(createWriteTool(access), write), names: (await readdir(folder)).sort() });
  await rm(filler);
  print({ edit: await call(edit, large), bytes: (await readFile(file)).length });
}

async function changeForEver(): Promise<void> {
  const edit = createEditTool(access);
  const letters = ['a', 'b'].map((letter) => letter.repeat(400_000));
  for (let count = 0; ; count++) {
    const [old = '', next = ''] = count % 2 === 0 ? letters : letters.toReversed();
    print(await call(edit, { path: 'a.txt', edits: [{ old, new: next }] }));
  }
}

await (mode === 'full' ? fillDisk() : changeForEver());
