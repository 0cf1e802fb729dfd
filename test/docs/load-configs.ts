// A program of `typescript.test.ts`: loads the configs named on its command line, and prints what is wrong with each.
import { pathToFileURL } from 'node:url';
import { messageOf } from '@holdfast/base/message-of';
import { parseConfig } from '../../src/config/config-file.ts';

const faults: string[] = [];
for (const path of process.argv.slice(2)) {
  try {
    const { default: config }: { default: unknown } = await import(pathToFileURL(path).href);
    parseConfig(config, path);
  } catch (error) {
    faults.push(`${path}: ${messageOf(error)}`);
  }
}
process.stdout.write(JSON.stringify(faults));
