#!/usr/bin/env node
// Starts the CLI, or says what to do where Node is too old to run it. Old syntax only, so that an old Node can
// read this much; everything else is imported after the check.
import { existsSync } from 'fs';
import module from 'module';
import { homedir } from 'os';
import { join } from 'path';

var neededMajor = 24;
var source = new URL('../src/cli/main.ts', import.meta.url);
var built = new URL('../dist/src/cli/main.js', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  console.error(
    'Holdfast needs Node ' +
      neededMajor +
      ' or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      // a clone brings one, and npm run finds it
      (existsSync(source)
        ? 'Run "npm ci" and then "npm run holdfast --" in the folder of the clone'
        : 'Run "npm install node@' + neededMajor + '" in this folder and then "npx holdfast" again') +
      ', or install it from https://nodejs.org.',
  );
  process.exitCode = 2;
} else {
  // Compiled code is kept from start to start: half of a start is compiling. In the user's own folder, because what
  // is found there is run; where it cannot be written nothing is kept.
  try {
    module.enableCompileCache(join(homedir(), '.cache', 'holdfast', 'compiled'));
  } catch {
    // a user without a home, as in a container
  }
  // A checkout runs its sources; a package has only the built files.
  import((existsSync(source) ? source : built).href).then(function (cli) {
    return cli.main();
  });
}
